package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// machine is what a run asks its computer. Only tests have another.
type machine struct {
	now  func() time.Time
	free func(path string) (int64, error) // bytes on the disk of an existing path
	// followAfter is how long a publisher runs before a consumer is put beside it.
	followAfter time.Duration
}

func thisMachine() machine {
	return machine{now: time.Now, free: freeBytes, followAfter: 10 * time.Second}
}

func freeBytes(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, fmt.Errorf("free space at %s: %w", path, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}

// clockSlack is how far two clocks of one network may differ.
const clockSlack = time.Minute

// noticed is what all records of a workspace have.
type noticed struct {
	Version  int       `json:"version"`
	Schema   string    `json:"schema"`
	Finished time.Time `json:"finished"`
	Started  time.Time `json:"started"`
}

// inspect refuses a workspace of a newer dssdnet, and warns of a clock that has jumped.
func inspect(ws workspace.Dir, now time.Time) (warnings []string, err error) {
	var latest time.Time
	var latestPath string
	for _, kind := range []struct {
		pattern string
		reads   int
	}{
		{filepath.Join(ws.Manifests(), "*.json"), manifest.Version},
		{filepath.Join(stepsDir(ws), "*.json"), recordVersion},
		{resultsPath(ws), resultsVersion},
	} {
		paths, err := filepath.Glob(kind.pattern)
		if err != nil {
			return nil, fmt.Errorf("look at workspace %s: %w", ws, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("look at workspace %s: %w", ws, err)
			}
			var m noticed
			if json.Unmarshal(data, &m) != nil {
				continue // whoever needs it will say so
			}
			if m.Version > kind.reads {
				return nil, newer(path, m.Version, kind.reads)
			}
			for _, t := range schemas.Parquet() {
				if name, _, _ := strings.Cut(m.Schema, "/"); name == t.Name {
					if err := t.Check(m.Schema); err != nil {
						return nil, fault.New(fault.Rejected, "workspace %s: %s: %w", ws, path, err)
					}
				}
			}
			for _, at := range []time.Time{m.Started, m.Finished} {
				if at.After(latest) {
					latest, latestPath = at, path
				}
			}
		}
	}
	if latest.After(now.Add(clockSlack)) {
		warnings = append(warnings, fmt.Sprintf("the clock of this machine says %s, but %s was written at %s: one of the two times is wrong; "+
			"what is run does not depend on it, but ages and times in reports do", now.UTC().Format(time.DateTime), latestPath, latest.UTC().Format(time.DateTime)))
	}
	return warnings, nil
}

// leastFree is the space below which nothing is begun: records and logs must always find room.
const leastFree = 64 << 20

// room refuses to begin on a full disk.
func (r *run) room() error {
	path := absolute(string(r.Workspace))
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	free, err := r.machine.free(path)
	if err != nil {
		return err
	}
	if free < leastFree {
		return fmt.Errorf("the disk of %s is full: %s are free and at least %s are needed to begin; free some space and repeat the command",
			r.Workspace, settings.Bytes(free>>20<<20), settings.Bytes(leastFree))
	}
	return nil
}

// explain says more of an error of a stage where the pipeline knows it.
func (r *run) explain(s *step, err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("step %s was interrupted; the same command goes on with it: %w", s.name, err)
	}
	if errors.Is(err, unix.ENOSPC) || strings.Contains(strings.ToLower(err.Error()), "no space left on device") {
		return fmt.Errorf("step %s: the disk of %s is full; what was finished is kept: free some space and go on with dssdnet retry: %w", s.name, r.Workspace, err)
	}
	return fmt.Errorf("step %s: %w", s.name, err)
}
