package inspect

import (
	"context"

	"dssdnet/index"
	"dssdnet/index/query"
	"dssdnet/internal/fault"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// Config of a question.
type Config struct {
	Workspace workspace.Dir `yaml:"-"`

	Terms []string `yaml:"-"` // of Stats: words whose document frequency is asked for
	Topic string   `yaml:"-"` // of Explain: a topic id
	// Patent is what Explain explains the score of: a patent id.
	Patent string `yaml:"-"`

	Words        string   `yaml:"words" help:"text to search for"`
	Top          int      `yaml:"top" help:"most frequent terms of each field that are listed"`
	Sets         []string `yaml:"sets" help:"topic sets that the topic is looked for in; all when none is named"`
	query.Config `yaml:",inline"`
	CacheBytes   settings.Bytes `yaml:"cache-bytes" help:"memory for decoded postings, 5 bytes each"`
}

// Default is what the commands start from.
func Default() Config {
	c := Config{Top: 20, Config: query.Default(), CacheBytes: 256 << 20}
	c.Hits = 20
	return c
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.CacheBytes < 0:
		return fault.New(fault.Usage, "--cache-bytes is %v, must be 0 or more", c.CacheBytes)
	case c.Top < 0:
		return fault.New(fault.Usage, "--top is %d, must be 0 or more", c.Top)
	}
	return c.Config.Validate()
}

// open opens the current build.
func (c Config) open(ctx context.Context) (*index.Index, error) {
	dir, err := index.Current(c.Workspace.Table("index"))
	if err != nil {
		return nil, err
	}
	return index.Open(ctx, dir, index.Options{CacheBytes: int64(c.CacheBytes)})
}
