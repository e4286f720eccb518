package fuse

import (
	"log/slog"
	"slices"

	"dssdnet/index/pool"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	Pools     []string          `yaml:"-"` // names of the pools to fuse, at least two

	Pool  string   `yaml:"pool" help:"name of the fused pool: pools/<name>/"`
	K     float64  `yaml:"k" help:"how little the first ranks stand out: a patent scores 1/(k+rank) for each pool"`
	Hits  int      `yaml:"hits" help:"patents in the fused pool of a topic"`
	Qrels []string `yaml:"qrels" help:"qrels sets that the pool is measured with; all when none is named"`
	TREC  string   `yaml:"trec" help:"TREC run file to write as well; gzipped if the name ends in .gz"`
	Force bool     `yaml:"force" help:"fuse again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config { return Config{Pool: "fused", K: 60, Hits: 1000} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if err := pool.CheckName("pool", c.Pool); err != nil {
		return err
	}
	for i, name := range c.Pools {
		if err := pool.CheckName("pool", name); err != nil {
			return fault.New(fault.Usage, "pool %q: %w", name, err)
		}
		if name == c.Pool || slices.Contains(c.Pools[:i], name) {
			return fault.New(fault.Usage, "pool %q is named twice: fuse different pools into one of another --pool", name)
		}
	}
	switch {
	case len(c.Pools) < 2:
		return fault.New(fault.Usage, "%d pools named, fusing needs at least two", len(c.Pools))
	case !(c.K >= 0 && c.K <= 1e9):
		return fault.New(fault.Usage, "--k is %v, must be from 0 to 1e9", c.K)
	case c.Hits < 1:
		return fault.New(fault.Usage, "--hits is %d, must be at least 1", c.Hits)
	}
	return nil
}
