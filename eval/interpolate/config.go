package interpolate

import (
	"log/slog"
	"path/filepath"
	"regexp"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// Config of one interpolation.
type Config struct {
	Workspace workspace.Dir `yaml:"-"`
	Log       *slog.Logger  `yaml:"-"` // nil discards
	Model     string        `yaml:"-"` // run file of the model

	Base    string  `yaml:"base" help:"run file to interpolate with, instead of --pool"`
	Pool    string  `yaml:"pool" help:"pool to interpolate with"`
	Weight  float64 `yaml:"weight" help:"weight of the model, 0 to 1: choose it on validation topics, with eval weigh"`
	Weights string  `yaml:"weights" help:"weights.json of eval weigh, of which weight, scale and depth are taken, instead of from the flags"`
	Mixture `yaml:",inline"`
	Run     string `yaml:"run" help:"name of the run that is made: runs/<name>.trec.gz"`
}

// Default is what the command starts from.
func Default() Config { return Config{Weight: 0.5, Mixture: DefaultMixture()} }

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.Model == "":
		return fault.New(fault.Usage, "no run of a model given")
	case (c.Base == "") == (c.Pool == ""):
		return fault.New(fault.Usage, "name what the model is interpolated with: either --pool NAME or --base FILE")
	case !nameRule.MatchString(c.Run):
		return fault.New(fault.Usage, "--run %q is not a name of letters, digits, '.', '_', '+' and '-'", c.Run)
	case !(c.Weight >= 0 && c.Weight <= 1):
		return fault.New(fault.Usage, "--weight is %v, must be from 0 to 1", c.Weight)
	}
	return c.Mixture.Validate()
}

func (c Config) file() string { return filepath.Join(c.Workspace.Table("runs"), c.Run+".trec.gz") }

// Result of one interpolation.
type Result struct {
	Run       string  `json:"run"`
	File      string  `json:"file"`
	Weight    float64 `json:"weight"`   // of the model
	Topics    int     `json:"topics"`   // of both
	OnlyOne   int     `json:"only_one"` // topics that only one of the two has
	Rows      int     `json:"rows"`
	Unmatched int     `json:"unmatched"` // candidates that only one of the two has, in topics of both
}
