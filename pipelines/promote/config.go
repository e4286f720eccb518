package promote

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"

	"dssdnet/eval/compare"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/train/torch"
)

// Config of one gate.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	// Pipeline and PipelineRun name what calls the stage, for the lineage; "" when a person does.
	Pipeline    string `yaml:"-"`
	PipelineRun string `yaml:"-"`

	Run      string `yaml:"run" help:"run that the candidate made of the test topics: runs/<name>.trec.gz, by dssdnet rerank"`
	Training string `yaml:"training" help:"training whose best checkpoint is the candidate, checkpoints/<name>/best; the run's name when empty"`
	Baseline string `yaml:"baseline" help:"run that the current model makes of the same test groups, unless it is there"`
	Set      string `yaml:"set" help:"qrels set of the test topics"`
	Pool     string `yaml:"pool" help:"pool that both re-rank; its figures are recorded beside theirs"`
	Report   string `yaml:"report" help:"name of the report that shows the decision, reports/<name>/gate.json; that of the set when empty"`

	Measure     string  `yaml:"measure" help:"measure that decides"`
	Alpha       float64 `yaml:"alpha" help:"p-value under which a difference is significant"`
	MaxLoss     float64 `yaml:"max-loss" help:"largest loss that is accepted although it is not significant, as a difference of the measure"`
	RequireGain bool    `yaml:"require-gain" help:"promote only what is significantly better than the current model"`
	Seed        int64   `yaml:"seed" help:"seed of the randomization test"`

	Device  string `yaml:"device" help:"cpu, cuda or cuda:N, to score the test groups with the current model"`
	Threads int    `yaml:"threads" help:"threads of the processor; 0 is one per core"`
}

// Default refuses significant losses, and losses of more than two points in a hundred.
func Default() Config {
	return Config{Baseline: "current", Measure: "PRES@100", Alpha: 0.05, MaxLoss: 0.02, Seed: 1, Device: "cpu"}
}

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	for _, name := range []struct{ flag, value string }{{"run", c.Run}, {"set", c.Set}, {"report", c.report()}} {
		if !nameRule.MatchString(name.value) {
			return fault.New(fault.Usage, "--%s %q is not a name of letters, digits, '.', '_', '+' and '-'", name.flag, name.value)
		}
	}
	for _, name := range []struct{ flag, value string }{{"baseline", c.Baseline}, {"pool", c.Pool}} {
		if name.value != "" && !nameRule.MatchString(name.value) {
			return fault.New(fault.Usage, "--%s %q is not a name of letters, digits, '.', '_', '+' and '-'", name.flag, name.value)
		}
	}
	if training := c.training(); !filepath.IsLocal(training) || training != filepath.Clean(training) || strings.Contains(training, "..") {
		return fault.New(fault.Usage, "--training %q must be the name of a run below checkpoints/, or run/seed-N", training)
	}
	if _, err := torch.ParseDevice(c.Device); err != nil {
		return err
	}
	if c.Threads < 0 {
		return fault.New(fault.Usage, "--threads is %d, must be 0 (one per core) or more", c.Threads)
	}
	return c.gate().Validate()
}

func (c Config) gate() compare.Gate {
	return compare.Gate{Measure: c.Measure, Alpha: c.Alpha, MaxLoss: c.MaxLoss, RequireGain: c.RequireGain}
}

func (c Config) training() string { return cmp.Or(c.Training, c.Run) }
func (c Config) report() string   { return cmp.Or(c.Report, c.Set) }
