package schedule

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// stateVersion is that of the state file.
//
//	1  first
const stateVersion = 1

// state is what a scheduler knows after a restart. It is written before a run begins and after it has ended.
type state struct {
	Version  int    `json:"version"`
	Pipeline string `json:"pipeline"`
	Cron     string `json:"cron,omitempty"`
	TimeZone string `json:"time_zone,omitempty"`
	// Handled is up to when every fire of the cron line has been dealt with: run, in Unfinished, or left out on
	// purpose.
	Handled time.Time `json:"handled"`
	// Unfinished is the fire whose run goes on, or waits for its turn.
	Unfinished  *fire     `json:"unfinished,omitempty"`
	LastRun     *LastRun  `json:"last_run,omitempty"`
	LastSuccess time.Time `json:"last_success,omitzero"`
}

// LastRun is the latest run that has ended.
type LastRun struct {
	RunID   string    `json:"run_id,omitempty"`
	Trigger Trigger   `json:"trigger"`
	Outcome Outcome   `json:"outcome"`
	Step    string    `json:"step,omitempty"` // that failed, or whose gate refused
	Error   string    `json:"error,omitempty"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	Seconds float64   `json:"seconds"`
}

func stateFile(dir workspace.Dir, pipeline string) string {
	return filepath.Join(string(dir), "schedule", pipeline+".json")
}

// loadState reads the state. Where there is none it begins now: fires before the first start are nobody's.
func loadState(path string, c Config, now time.Time) (state, error) {
	fresh := state{Version: stateVersion, Pipeline: c.Pipeline, Cron: c.Cron, TimeZone: c.TimeZone, Handled: now}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return state{}, fmt.Errorf("state of the schedule: %w", err)
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return state{}, fault.New(fault.Rejected, "state of the schedule %s: %w; remove the file to begin anew, without fires missed before", path, err)
	}
	if s.Version > stateVersion {
		return state{}, fault.New(fault.Rejected, "state of the schedule %s has version %d, this program knows %d: use the newer program", path, s.Version, stateVersion)
	}
	if s.Cron != c.Cron || s.TimeZone != c.TimeZone {
		// The new line was not in force yet, so nothing of it was missed.
		s.Cron, s.TimeZone, s.Handled = c.Cron, c.TimeZone, now
	}
	return s, nil
}

func (s state) write(path string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		err = durable.WriteFile(path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the state of the schedule to %s: %w", path, err)
	}
	return nil
}
