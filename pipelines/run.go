package pipelines

import (
	"context"
	"errors"

	"dssdnet/internal/workspace"
)

// Run runs a pipeline.
func Run(ctx context.Context, c Config) (Result, error) {
	return Result{}, errors.New("under construction")
}

// Retry goes on with the last run of the workspace, from the step that failed.
func Retry(ctx context.Context, c Config) (Result, error) {
	return Result{}, errors.New("under construction")
}

// StatusResult is what a workspace holds.
type StatusResult struct{}

// Status says what a workspace holds, how old it is and what made it.
func Status(ctx context.Context, ws workspace.Dir) (StatusResult, error) {
	return StatusResult{}, errors.New("under construction")
}
