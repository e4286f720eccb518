package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"dssdnet/pipelines"
)

// retryConfig are the settings of retry: what to run, the last run says.
type retryConfig struct {
	Force bool          `yaml:"force" help:"run steps although nothing has changed for them"`
	Wait  time.Duration `yaml:"wait" help:"how long to wait for another run on the workspace to end; 0 is not at all"`
}

func (a *app) retryCommand() *cobra.Command {
	var cfg retryConfig
	return a.pipelineCommand(&cobra.Command{
		Use:   "retry",
		Short: "The last run of a pipeline again, from the step that failed",
		Long: `Goes on with the last run of a pipeline in the workspace, which run_results.json tells of: the same file and variables,
from the step that failed, or that was under way when the run was killed.`,
		Example: `  dssdnet retry --workspace work/demo`,
		Args:    cobra.NoArgs,
	}, &cfg, func(ctx context.Context, _ []string) (pipelines.Result, error) {
		c := pipelines.Default()
		c.Force, c.Wait = cfg.Force, cfg.Wait
		if err := a.provide(&c); err != nil {
			return pipelines.Result{}, err
		}
		return pipelines.Retry(ctx, c)
	})
}
