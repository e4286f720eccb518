package weigh

import (
	"log/slog"
	"path/filepath"

	"dssdnet/eval"
	"dssdnet/eval/interpolate"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
)

// Config of one choice.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	Models    []string          `yaml:"-"` // run files of a model, a seed each

	Set                 string   `yaml:"set" help:"qrels set of the topics that the weight is chosen on: validation topics"`
	Pool                string   `yaml:"pool" help:"pool that the runs re-rank"`
	Report              string   `yaml:"report" help:"name of the report, reports/<name>/; that of the set when empty"`
	Measures            []string `yaml:"measures" help:"measures that are shown; the first chooses the weight"`
	Steps               int      `yaml:"steps" help:"steps from weight 0 to weight 1"`
	interpolate.Mixture `yaml:",inline"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{Measures: []string{"PRES@100", "Recall@100", "AP@100"}, Steps: 20, Mixture: interpolate.DefaultMixture()}
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case len(c.Models) == 0:
		return fault.New(fault.Usage, "no run of a model given")
	case c.Set == "":
		return fault.New(fault.Usage, "no topics to choose on: name their qrels with --set")
	case c.Pool == "":
		return fault.New(fault.Usage, "no pool given: name the one that the runs re-rank with --pool")
	case c.Steps < 1 || c.Steps > 1000:
		return fault.New(fault.Usage, "--steps is %d, must be from 1 to 1000", c.Steps)
	}
	if err := c.Mixture.Validate(); err != nil {
		return err
	}
	return c.evaluation().Validate()
}

// evaluation is that of the mixed runs.
func (c Config) evaluation() eval.Config {
	e := eval.Default()
	e.Workspace, e.Log, e.Progress = c.Workspace, c.Log, c.Progress
	e.Runs, e.Set, e.Report, e.Measures = c.Models, c.Set, c.Report, c.Measures
	return e
}

func (c Config) file() string { return filepath.Join(c.evaluation().Dir(), "weights.json") }
