package report

import (
	"dssdnet/eval/compare"
	"dssdnet/internal/fault"
)

// Config of one report.
type Config struct {
	compare.Config `yaml:",inline"`

	Training      []string `yaml:"training" help:"folders of training runs whose loss curves are shown; all of the workspace when none is named"`
	ExploreTopics int      `yaml:"explore-topics" help:"topics in the explorer"`
	ExploreDepth  int      `yaml:"explore-depth" help:"candidates of a topic and run in the explorer"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{Config: compare.Default(), ExploreTopics: 60, ExploreDepth: 20}
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if err := c.Config.Validate(); err != nil {
		return err
	}
	switch {
	case c.ExploreTopics < 0:
		return fault.New(fault.Usage, "--explore-topics is %d, must be 0 or more", c.ExploreTopics)
	case c.ExploreDepth < 1:
		return fault.New(fault.Usage, "--explore-depth is %d, must be at least 1", c.ExploreDepth)
	}
	return nil
}
