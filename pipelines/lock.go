package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/internal/durable"
	"dssdnet/internal/workspace"
)

// ErrHeld says that another process runs a pipeline on the workspace. The error that wraps it says which.
var ErrHeld = errors.New("the workspace is held by another run")

const (
	// lockPoll is how often a run that waits looks whether the other has ended.
	lockPoll = 200 * time.Millisecond
	// lockLook is the least that a run waits: somebody may only be looking (holds).
	lockLook = 500 * time.Millisecond
)

func lockPath(ws workspace.Dir) string { return filepath.Join(ws.Manifests(), "pipeline.lock") }

// lock takes the workspace, or waits for it as long as Wait says.
func (r *run) lock(ctx context.Context) (*durable.Lock, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	note := fmt.Sprintf("process %d on %s runs pipeline %s since %s", os.Getpid(), host, r.plan.name, time.Now().Format(time.DateTime))
	deadline := time.Now().Add(max(r.Wait, lockLook))
	for waiting := false; ; waiting = true {
		lock, err := durable.TryLock(lockPath(r.Workspace), note)
		switch {
		case err == nil:
			return lock, nil
		case !errors.Is(err, durable.ErrLocked):
			return nil, fmt.Errorf("lock workspace %s: %w", r.Workspace, err)
		case !time.Now().Before(deadline):
			return nil, held(r.Workspace)
		case !waiting && r.Wait > 0:
			r.Log.Info("waiting for the run that holds the workspace", "holder", holder(r.Workspace), "wait", r.Wait)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

func held(ws workspace.Dir) error {
	return fmt.Errorf("%w: %s: %s; wait for it to end, or let --wait do so", ErrHeld, ws, holder(ws))
}

// holder is what the run that has the workspace says of itself.
func holder(ws workspace.Dir) string {
	if note := durable.LockNote(lockPath(ws)); note != "" {
		return note
	}
	return "another process has just begun"
}

// holds reports whether some run has the workspace.
func holds(ws workspace.Dir) bool {
	f, err := os.Open(lockPath(ws))
	if err != nil {
		return false
	}
	defer f.Close() // and with it the lock
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}
