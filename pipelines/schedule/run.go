package schedule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// Run schedules until ctx ends, which is its normal end. The error is then nil, unless a run was cut off by it: then it
// is ctx's. The Result counts what was run, also when there is an error.
func Run(ctx context.Context, c Config) (Result, error) {
	return run(ctx, c, world{clock: time.Now, count: newCounter(c).count})
}

// world is what a scheduler looks at. Only tests change it.
type world struct {
	clock func() time.Time
	count func(context.Context) (backlog, error)
}

func run(ctx context.Context, c Config, w world) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	path := stateFile(c.Workspace, c.Pipeline)
	lock, err := alone(path+".lock", c)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = lock.Unlock() }()
	if err := durable.Sweep(filepath.Dir(path)); err != nil {
		return Result{}, fmt.Errorf("state of the schedule: %w", err)
	}
	s, err := newScheduler(c, path, w)
	if err != nil {
		return Result{}, err
	}
	started := time.Now()
	err = s.loop(ctx)
	s.result.Seconds = time.Since(started).Seconds()
	s.result.LastRun, s.result.LastSuccess = s.state.LastRun, s.state.LastSuccess
	return s.result, err
}

// alone makes this process the only one that schedules the pipeline on the workspace.
func alone(path string, c Config) (*durable.Lock, error) {
	lock, err := durable.TryLock(path, fmt.Sprintf("process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return nil, fault.New(fault.Rejected, "%s schedules pipeline %s on workspace %s already (lock %s); stop it first",
			durable.LockNote(path), c.Pipeline, c.Workspace, path)
	}
	if err != nil {
		return nil, fmt.Errorf("lock of the schedule: %w", err)
	}
	return lock, nil
}
