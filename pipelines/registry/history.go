package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
)

// What happened in the registry.
type What string

// The events: a version was given a number; the link current was moved by a gate, by a person, or back.
const (
	Registered What = "registered"
	ByGate     What = "gate"
	ByHand     What = "promote"
	RolledBack What = "rollback"
)

// Event is a line of models/history.jsonl.
type Event struct {
	Time    time.Time `json:"time"`
	What    What      `json:"what"`
	Version string    `json:"version"`        // that was registered, or is current after it
	From    string    `json:"from,omitempty"` // that was current before it
	Why     string    `json:"why,omitempty"`
}

func (e Event) moves() bool { return e.What != Registered }

func (r Registry) historyFile() string { return filepath.Join(r.ws.Models(), "history.jsonl") }

// History returns all events, oldest first.
func (r Registry) History() ([]Event, error) {
	data, err := os.ReadFile(r.historyFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of the models: %w", err)
	}
	var all []Event
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s, line %d is damaged: %w: mend or remove the line", r.historyFile(), i+1, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// append writes the whole file anew: it has a line or two a training.
func (w *Writer) append(e Event) error {
	data, err := os.ReadFile(w.historyFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("history of the models: %w", err)
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	data = append(append(data, line...), '\n')
	if err := durable.WriteFile(w.historyFile(), data); err != nil {
		return fmt.Errorf("history of the models: %w", err)
	}
	w.history = append(w.history, e)
	return nil
}

// stack is the versions that a rollback goes back over, the current one last.
func stack(history []Event) []string {
	var all []string
	for _, e := range history {
		switch {
		case !e.moves():
		case e.What == RolledBack && len(all) > 1 && all[len(all)-2] == e.Version:
			all = all[:len(all)-1]
		case len(all) == 0 || all[len(all)-1] != e.Version:
			all = append(all, e.Version)
		}
	}
	return all
}
