package pipelines

import (
	"context"
	"slices"

	"dssdnet/internal/fault"
)

// Retry goes on with the last run of the workspace: the same pipeline and variables, from the step that failed or was
// under way when the run was killed. File, Set, From and Until of c are not used.
func Retry(ctx context.Context, c Config) (Result, error) {
	return again(ctx, c, stages, thisMachine())
}

func again(ctx context.Context, c Config, stages catalog, m machine) (Result, error) {
	last, err := LastRun(c.Workspace)
	switch {
	case err != nil:
		return Result{}, err
	case last == nil:
		return Result{}, fault.New(fault.Usage, "there is nothing to retry: no pipeline has been run in workspace %s", c.Workspace)
	case last.Status == Running && holds(c.Workspace) && c.Wait == 0:
		return Result{}, held(c.Workspace)
	case last.Status == Done || last.Status == Refused:
		return Result{}, fault.New(fault.Usage, "there is nothing to retry: the last run of %s ended as %s; run it again with dssdnet run %s", last.Pipeline, last.Status, last.File)
	}
	c.File, c.Set, c.From, c.Until = last.File, last.Set, last.From, last.Until
	ran := slices.IndexFunc(last.Steps, func(s StepResult) bool { return s.Status == Failed || s.Status == Running })
	if ran >= 0 {
		c.From = last.Steps[ran].Step
	}
	return start(ctx, c, stages, m)
}
