package search

import (
	"log/slog"
	"runtime"

	"dssdnet/index/pool"
	"dssdnet/index/query"
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

	Pool         string   `yaml:"pool" help:"name of the pool: pools/<name>/"`
	Sets         []string `yaml:"sets" help:"topic sets to search for; all when none is named"`
	Qrels        []string `yaml:"qrels" help:"qrels sets that the pool is measured with; all when none is named"`
	TREC         string   `yaml:"trec" help:"TREC run file to write as well; gzipped if the name ends in .gz"`
	query.Config `yaml:",inline"`

	CacheBytes settings.Bytes `yaml:"cache-bytes" help:"memory for decoded postings, 5 bytes each"`
	Workers    int            `yaml:"workers" help:"topics searched at a time; 0 is one per core"`
	Force      bool           `yaml:"force" help:"search again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{Pool: "bm25", Config: query.Default(), CacheBytes: 2 << 30}
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if err := pool.CheckName("pool", c.Pool); err != nil {
		return err
	}
	switch {
	case c.CacheBytes < 0:
		return fault.New(fault.Usage, "--cache-bytes is %v, must be 0 or more", c.CacheBytes)
	case c.Workers < 0:
		return fault.New(fault.Usage, "--workers is %d, must be 0 (one per core) or more", c.Workers)
	}
	return c.Config.Validate()
}

func (c Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}
