package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// Writer changes the registry. It holds the lock until Close.
type Writer struct {
	Registry
	lock    *durable.Lock
	history []Event
	resumed *Event
}

// Lock takes the registry's lock without waiting, and finishes what a killed process left.
func (r Registry) Lock() (*Writer, error) {
	path := filepath.Join(r.ws.Models(), ".lock")
	lock, err := durable.TryLock(path, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.DateTime)))
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("%s is being changed by another process (%s): wait for it", r.ws.Models(), durable.LockNote(path))
	}
	if err != nil {
		return nil, fmt.Errorf("lock the models: %w", err)
	}
	w := &Writer{Registry: r, lock: lock}
	if err := w.mend(); err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return w, nil
}

// Close releases the lock.
func (w *Writer) Close() error { return w.lock.Unlock() }

// mend finishes the last move of the history and removes half-made folders and links.
func (w *Writer) mend() (err error) {
	if w.history, err = w.History(); err != nil {
		return err
	}
	if err := durable.Sweep(w.ws.Models()); err != nil {
		return fmt.Errorf("remove what an interrupted command left in %s: %w", w.ws.Models(), err)
	}
	moves := stack(w.history)
	if len(moves) == 0 {
		return nil
	}
	target, _ := os.Readlink(filepath.Join(w.ws.Models(), workspace.Current))
	if last := moves[len(moves)-1]; target != last {
		if _, err := os.Stat(w.ws.ModelCheckpoint(last)); err != nil {
			return nil //nolint:nilerr // its folder was removed: nothing to point to, and that is said to who asks for the current model
		}
		w.resumed = w.lastMove()
		return w.link(last)
	}
	return nil
}

func (w *Writer) lastMove() *Event {
	for i := len(w.history) - 1; i >= 0; i-- {
		if w.history[i].moves() {
			return &w.history[i]
		}
	}
	return nil
}

// MovedTo reports whether the link was ever moved to a version.
func (w *Writer) MovedTo(version string) bool {
	for _, e := range w.history {
		if e.moves() && e.Version == version {
			return true
		}
	}
	return false
}

// Point makes a version current. Its folder must be there.
func (w *Writer) Point(what What, version, why string) (Event, error) {
	from, err := w.ws.CurrentModel()
	if err != nil {
		from = "" // the link is broken, and this mends it
	}
	e := Event{Time: time.Now().UTC().Truncate(time.Second), What: what, Version: version, From: from, Why: why}
	if from == version {
		return e, nil
	}
	if _, err := os.Stat(w.ws.ModelCheckpoint(version)); err != nil {
		return e, w.unknown(version)
	}
	if err := w.append(e); err != nil {
		return e, err
	}
	return e, w.link(version)
}

// link puts the link in place by a rename, so that a reader finds the old version or the new one.
func (w *Writer) link(version string) error {
	temp, err := durable.TempDir(filepath.Join(w.ws.Models(), workspace.Current))
	if err != nil {
		return fmt.Errorf("point %s to %s: %w", workspace.Current, version, err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	name := filepath.Join(temp, workspace.Current)
	if err := os.Symlink(version, name); err != nil {
		return fmt.Errorf("point %s to %s: %w", workspace.Current, version, err)
	}
	if err := os.Rename(name, filepath.Join(w.ws.Models(), workspace.Current)); err != nil {
		return fmt.Errorf("point %s to %s: %w", workspace.Current, version, err)
	}
	return durable.SyncDir(w.ws.Models())
}

// Rollback makes the version current that was so before the current one. A rollback that was killed half-way is
// finished, and is this one.
func (w *Writer) Rollback(why string) (Event, error) {
	if w.resumed != nil && w.resumed.What == RolledBack {
		return *w.resumed, nil
	}
	moves := stack(w.history)
	if len(moves) < 2 {
		return Event{}, fault.New(fault.Usage, "there is no version to go back to: %s", map[bool]string{
			true: "there is no current model", false: "no other version was current before",
		}[len(moves) == 0])
	}
	return w.Point(RolledBack, moves[len(moves)-2], why)
}
