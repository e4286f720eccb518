package schedule

import (
	"context"
	"log/slog"
	"time"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/metrics"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
	"dssdnet/schemas"
)

// Config of a scheduler.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Pipeline  string            `yaml:"-"` // its name: of the state file, and a label of the metrics
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Metrics   *metrics.Registry `yaml:"-"` // nil exports nothing
	// Job runs the pipeline once, without waiting for the workspace: pipelines.ErrHeld says that another process has
	// it and nothing ran. One call ends before the next begins. When its ctx ends it finishes the unit in hand and returns.
	Job func(ctx context.Context) (pipelines.Result, error) `yaml:"-"`
	// Cluster is called with WhenNew only, from another goroutine than Job.
	Cluster func(ctx context.Context) (cluster.Config, error) `yaml:"-"`

	Cron     string        `yaml:"cron" help:"when to run: minute, hour, day of the month, month, day of the week, as in crontab; or @hourly, @daily, @weekly, @monthly"`
	TimeZone string        `yaml:"time-zone" help:"time zone of the cron line: Europe/Vienna, UTC; Local is the machine's"`
	WhenNew  int64         `yaml:"when-new" help:"run when this many patents wait in the topic that consume has not taken; 0 = do not look"`
	Topic    string        `yaml:"topic" help:"topic whose patents are counted"`
	Poll     time.Duration `yaml:"poll" help:"how often to count them, and to try again while another process holds the workspace"`
	Overlap  string        `yaml:"overlap" help:"what a fire does while a run goes on or another process holds the workspace: skip, or queue (one waits)"`
	Missed   string        `yaml:"missed" help:"what to do about fires that were missed while this was not running, and about a run that was cut off: run-once or skip"`
}

// The overlap policies, and those for missed fires.
const (
	Skip    = "skip"
	Queue   = "queue"
	RunOnce = "run-once"
)

// Default neither loses a fire nor repeats one. It has no trigger.
func Default() Config {
	return Config{TimeZone: "Local", Topic: schemas.TopicXML, Poll: time.Minute, Overlap: Queue, Missed: RunOnce}
}

// Validate checks the settings. The error is a fault.Usage.
func (c Config) Validate() error {
	switch {
	case c.Cron == "" && c.WhenNew == 0:
		return fault.New(fault.Usage, "nothing to wait for: give --cron \"0 6 * * 1\", --when-new N, or both")
	case c.WhenNew < 0:
		return fault.New(fault.Usage, "--when-new %d: a number of patents, at least 1; 0 = do not look", c.WhenNew)
	case c.WhenNew > 0 && c.Topic == "":
		return fault.New(fault.Usage, "--topic is empty: --when-new needs the topic whose patents it counts")
	case c.Poll < time.Second:
		return fault.New(fault.Usage, "--poll %s: at least 1s", c.Poll)
	case c.Overlap != Skip && c.Overlap != Queue:
		return fault.New(fault.Usage, "--overlap is skip or queue, not %q", c.Overlap)
	case c.Missed != RunOnce && c.Missed != Skip:
		return fault.New(fault.Usage, "--missed is run-once or skip, not %q", c.Missed)
	}
	if c.Cron == "" {
		return nil
	}
	_, err := parseLine(c.Cron, c.TimeZone)
	return err
}

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}
