package registry

import (
	"errors"
	"fmt"

	"dssdnet/internal/workspace"
)

// Moved is what a command did to the current model.
type Moved struct {
	Current  string `json:"current"`
	Previous string `json:"previous,omitempty"`
	Changed  bool   `json:"changed"` // false when the version was current already
}

// Promote makes a version current, whatever the gate said of it. why is kept in the history.
func Promote(ws workspace.Dir, version, why string) (Moved, error) {
	return move(ws, func(w *Writer) (Event, error) {
		if _, err := w.Get(version); err != nil {
			return Event{}, fmt.Errorf("promote: %w", err)
		}
		return w.Point(ByHand, version, why)
	})
}

// Rollback makes the version current that was so before the current one.
func Rollback(ws workspace.Dir, why string) (Moved, error) {
	return move(ws, func(w *Writer) (Event, error) { return w.Rollback(why) })
}

func move(ws workspace.Dir, by func(*Writer) (Event, error)) (moved Moved, err error) {
	w, err := Open(ws).Lock()
	if err != nil {
		return Moved{}, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	e, err := by(w)
	if err != nil {
		return Moved{}, err
	}
	return Moved{Current: e.Version, Previous: e.From, Changed: e.From != e.Version}, nil
}
