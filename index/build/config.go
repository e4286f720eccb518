package build

import (
	"log/slog"
	"runtime"
	"slices"
	"strings"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Analyzer      string         `yaml:"analyzer" help:"how text becomes terms: en-porter2/1, en-porter2-nonums/1, en-words/1 or en-words-nonums/1"`
	Fields        []string       `yaml:"fields" help:"fields of the index, each name=column+column of patents/: text=title+abstract,claims=claims"`
	Workers       int            `yaml:"workers" help:"segments built at a time; 0 is one per core"`
	BuildBytes    settings.Bytes `yaml:"build-bytes" help:"memory for segments in the making, all workers together"`
	MaxDeltaShare float64        `yaml:"max-delta-share" help:"share of patents that increments may have changed before the index is built from nothing"`
	MaxDeltas     int            `yaml:"max-deltas" help:"increments before the index is built from nothing"`
	Keep          int            `yaml:"keep" help:"older builds that are kept"`
	Force         bool           `yaml:"force" help:"build from nothing although nothing has changed"`
}

// minWorkerBytes is the least memory that a worker is given: smaller segments cost more to search.
const minWorkerBytes = 256 << 20

// Default is what the command starts from.
func Default() Config {
	return Config{
		Analyzer: analysis.Porter2, Fields: []string{"text=title+abstract"},
		BuildBytes: 1 << 30, MaxDeltaShare: 0.2, MaxDeltas: 50, Keep: 2,
	}
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if _, err := index.ParseFields(c.Fields); err != nil {
		return fault.New(fault.Usage, "--fields: %w", err)
	}
	switch {
	case !slices.Contains(analysis.Names(), c.Analyzer):
		return fault.New(fault.Usage, "--analyzer %q is none of %s", c.Analyzer, strings.Join(analysis.Names(), ", "))
	case c.Workers < 0:
		return fault.New(fault.Usage, "--workers is %d, must be 0 (one per core) or more", c.Workers)
	case c.BuildBytes < 16<<20:
		return fault.New(fault.Usage, "--build-bytes is %v, must be at least 16MiB", c.BuildBytes)
	case c.MaxDeltaShare < 0 || c.MaxDeltaShare > 1:
		return fault.New(fault.Usage, "--max-delta-share is %v, must be from 0 to 1", c.MaxDeltaShare)
	case c.MaxDeltas < 0:
		return fault.New(fault.Usage, "--max-deltas is %d, must be 0 or more", c.MaxDeltas)
	case c.Keep < 0:
		return fault.New(fault.Usage, "--keep is %d, must be 0 or more", c.Keep)
	}
	return nil
}

// workers is how many segments are built at a time.
func (c Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return max(1, min(runtime.GOMAXPROCS(0), int(c.BuildBytes/minWorkerBytes)))
}
