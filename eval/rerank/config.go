package rerank

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/train/torch"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Checkpoint  string `yaml:"checkpoint" help:"folder of a checkpoint: checkpoints/<run>/best; or current: that of the current model"`
	Pairs       string `yaml:"pairs" help:"name of the pairs whose test groups are scored: pairs/<name>/"`
	Run         string `yaml:"run" help:"name of the run that is made: runs/<name>.trec.gz"`
	Depth       int    `yaml:"depth" help:"candidates of a topic that are scored, from the top of the pool; those behind keep the pool's order below them; 0 is all"`
	Device      string `yaml:"device" help:"cpu, cuda or cuda:N"`
	Threads     int    `yaml:"threads" help:"threads of the processor; 0 is one per core"`
	Precision   string `yaml:"precision" help:"float32, or bfloat16 for the matrix products; scores are float32 always"`
	BatchTokens int    `yaml:"batch-tokens" help:"tokens of a batch, padding included"`
	Window      int    `yaml:"window" help:"topics over which batches are formed, and after which the work is saved"`
	Shard       string `yaml:"shard" help:"share of the topics that this process scores: 2/4 is the second of four"`
	Force       bool   `yaml:"force" help:"score again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{Pairs: "default", Device: "cpu", Precision: float32Name, BatchTokens: 8192, Window: 4, Shard: "1/1"}
}

const (
	float32Name  = "float32"
	bfloat16Name = "bfloat16"
)

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if _, err := torch.ParseDevice(c.Device); err != nil {
		return err
	}
	if _, err := c.shard(); err != nil {
		return err
	}
	switch {
	case c.Checkpoint == "":
		return fault.New(fault.Usage, "--checkpoint is missing: give the folder of a checkpoint, checkpoints/<run>/best, or current")
	case !nameRule.MatchString(c.Run):
		return fault.New(fault.Usage, "--run %q is not a name of letters, digits, '.', '_', '+' and '-'", c.Run)
	case !nameRule.MatchString(c.Pairs):
		return fault.New(fault.Usage, "--pairs %q is not a name of letters, digits, '.', '_', '+' and '-'", c.Pairs)
	case c.Precision != float32Name && c.Precision != bfloat16Name:
		return fault.New(fault.Usage, "--precision %q: known are %s and %s", c.Precision, float32Name, bfloat16Name)
	case c.BatchTokens < 512:
		return fault.New(fault.Usage, "--batch-tokens is %d, must be at least 512, a pair or more", c.BatchTokens)
	case c.Depth < 0:
		return fault.New(fault.Usage, "--depth is %d, must be 0 (all candidates) or more", c.Depth)
	case c.Window < 1:
		return fault.New(fault.Usage, "--window is %d, must be at least 1", c.Window)
	case c.Threads < 0:
		return fault.New(fault.Usage, "--threads is %d, must be 0 (one per core) or more", c.Threads)
	}
	return nil
}

// checkpoint is the folder to score with, and the version when it is that of the current model. The link is followed
// once: it can be moved while the run is made.
func (c Config) checkpoint() (dir, version string, err error) {
	if c.Checkpoint != workspace.Current {
		return c.Checkpoint, "", nil
	}
	if version, err = c.Workspace.CurrentModel(); err != nil {
		return "", "", fmt.Errorf("--checkpoint current: %w", err)
	}
	if version == "" {
		return "", "", fault.New(fault.Usage, "--checkpoint current: there is no current model in %s; dssdnet promote makes the first", c.Workspace.Models())
	}
	return c.Workspace.ModelCheckpoint(version), version, nil
}

// shard is which of how many shares of the topics a process scores, from 0.
type shard struct{ number, of int }

func (c Config) shard() (shard, error) {
	var s shard
	var rest string
	n, _ := fmt.Sscanf(c.Shard, "%d/%d%s", &s.number, &s.of, &rest)
	if n != 2 || s.number < 1 || s.number > s.of {
		return s, fault.New(fault.Usage, "--shard %q: want i/n with i from 1 to n, like 2/4", c.Shard)
	}
	s.number--
	return s, nil
}

// shallow are the rows of a group that are scored when they have a text.
func (c Config) shallow(rows []candidate) []candidate {
	if c.Depth > 0 && len(rows) > c.Depth {
		return rows[:c.Depth]
	}
	return rows
}

func (c Config) runsDir() string  { return c.Workspace.Table("runs") }
func (c Config) runFile() string  { return RunFile(c.Workspace, c.Run) }
func (c Config) noteFile() string { return filepath.Join(c.runsDir(), c.Run+".json") }
func (c Config) partsDir() string { return filepath.Join(c.runsDir(), "."+c.Run+".parts") }
func (c Config) pairsDir() string { return filepath.Join(string(c.Workspace), "pairs", c.Pairs) }
