package pipelines

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// recordVersion is the version of the layout of step records.
//
//	1  first
const recordVersion = 1

// record is what a step was made of when it last went through.
type record struct {
	Version  int    `json:"version"`
	Tool     string `json:"tool"`
	Pipeline string `json:"pipeline"`
	Step     string `json:"step"`
	Stage    string `json:"stage"`
	RunID    string `json:"run_id"`
	identity
	Outputs   []Data          `json:"outputs"`
	Status    string          `json:"status"`          // done or refused
	Error     string          `json:"error,omitempty"` // of a refusal
	Result    json.RawMessage `json:"result"`
	Started   time.Time       `json:"started"`
	Finished  time.Time       `json:"finished"`
	Seconds   float64         `json:"seconds"`
	PeakRSS   int64           `json:"peak_rss,omitempty"`
	DiskBytes int64           `json:"disk_bytes"`
}

// identity is what a step depends on.
type identity struct {
	Args     []string          `json:"args"`
	Settings map[string]string `json:"settings"`
	Inputs   []Data            `json:"inputs"`
}

// settingsOf are the settings that a step's result depends on. The others only say how to come to it.
func settingsOf(s *settings.Section) map[string]string {
	all := map[string]string{}
	s.Each(func(key, value, _ string) {
		if !slices.Contains([]string{"force", "resume", "replace"}, key) {
			all[key] = value
		}
	})
	return all
}

// stepsDir holds the records of the steps.
func stepsDir(ws workspace.Dir) string { return filepath.Join(ws.Manifests(), "steps") }

func recordPath(ws workspace.Dir, pipeline, step string) string {
	return filepath.Join(stepsDir(ws), pipeline+"."+step+".json")
}

// loadRecord returns nil when there is none.
func loadRecord(path string) (*record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fault.New(fault.Rejected, "the record %s is damaged: %w: delete it, and the step is run again", path, err)
	}
	if r.Version > recordVersion {
		return nil, newer(path, r.Version, recordVersion)
	}
	return &r, nil
}

func newer(path string, version, reads int) error {
	return fault.New(fault.Rejected, "%s has version %d, this dssdnet (%s) reads up to %d: the workspace was written by a newer dssdnet; "+
		"upgrade, or use another workspace", path, version, manifest.Tool, reads)
}

func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := durable.WriteFile(path, append(data, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// configHash tells one configuration of a step from another.
func (i identity) configHash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", i.Args)
	for _, key := range slices.Sorted(maps.Keys(i.Settings)) {
		fmt.Fprintf(h, "%q=%q\n", key, i.Settings[key])
	}
	return short(h)[:12]
}
