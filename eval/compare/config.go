package compare

import (
	"slices"
	"strings"

	"dssdnet/eval"
	"dssdnet/internal/fault"
)

// Config of one comparison.
type Config struct {
	eval.Config `yaml:",inline"`

	Baseline   string  `yaml:"baseline" help:"run that the others are compared with; the pool, else the first run, when empty"`
	By         string  `yaml:"by" help:"measure whose biggest gains and losses are listed; the first when empty"`
	Samples    int     `yaml:"samples" help:"random swaps of the randomization test, when not all can be tried"`
	Resamples  int     `yaml:"resamples" help:"samples of the bootstrap"`
	Confidence float64 `yaml:"confidence" help:"confidence of the interval"`
	Seed       int64   `yaml:"seed" help:"seed of swaps and samples"`
	Top        int     `yaml:"top" help:"topics listed with the biggest gains, and as many losses"`
}

// Default is what the command starts from.
func Default() Config {
	c := Config{Config: eval.Default(), Samples: 20_000, Resamples: 2_000, Confidence: 0.95, Seed: 1, Top: 5}
	c.Measures = []string{"Recall", "PRES", "MAP", "AP"}
	return c
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if err := c.Config.Validate(); err != nil {
		return err
	}
	switch {
	case c.Samples < 100:
		return fault.New(fault.Usage, "--samples is %d, must be at least 100", c.Samples)
	case c.Resamples < 100:
		return fault.New(fault.Usage, "--resamples is %d, must be at least 100", c.Resamples)
	case !(c.Confidence > 0 && c.Confidence < 1):
		return fault.New(fault.Usage, "--confidence is %v, must lie between 0 and 1", c.Confidence)
	case c.Top < 0:
		return fault.New(fault.Usage, "--top is %d, must be 0 or more", c.Top)
	}
	return nil
}

// baseline is the place of the baseline among the systems.
func (c Config) baseline(systems []system) (int, error) {
	var names []string
	for _, s := range systems {
		names = append(names, s.name)
	}
	at := 0
	if c.Baseline != "" {
		at = slices.Index(names, c.Baseline)
	}
	switch {
	case at < 0:
		return 0, fault.New(fault.Usage, "--baseline %q is none of the runs: %s", c.Baseline, strings.Join(names, ", "))
	case len(systems) < 2:
		return 0, fault.New(fault.Usage, "there is only %s: a comparison needs a baseline and another run (several seeds of one model are one system)", names[0])
	}
	return at, nil
}
