package pipelines

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// Config of one run of a pipeline.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	// File is the path of a pipeline file, or the name of one that comes with the program (Shipped).
	File string `yaml:"-"`
	// Cluster is called when the first step needs Kafka, and not before: it may start the embedded broker.
	Cluster func(context.Context) (cluster.Config, error) `yaml:"-"`
	// Resolve gives the settings of a stage the values that the environment and the config file have for its section. What
	// the pipeline file says is put above them. Nil leaves the defaults.
	Resolve func(*settings.Section) error `yaml:"-"`
	// Observers are told of every event of the run; a dry run has none.
	Observers []Observer `yaml:"-"`

	Set    []string      `yaml:"set" help:"NAME=VALUE: a variable of the pipeline file; several separated by commas or flags"`
	From   string        `yaml:"from" help:"first step to run; those before it are left as they are"`
	Until  string        `yaml:"until" help:"last step to run"`
	Force  bool          `yaml:"force" help:"run steps although nothing has changed for them"`
	DryRun bool          `yaml:"dry-run" help:"only say what would run, and why"`
	Wait   time.Duration `yaml:"wait" help:"how long to wait for another run on the workspace to end; 0 is not at all"`
}

// Default is what the command starts from.
func Default() Config { return Config{} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.Workspace == "":
		return fault.New(fault.Usage, "no workspace is given")
	case c.File == "":
		return fault.New(fault.Usage, "no pipeline is given: name a file, or one that comes with dssdnet: %s", strings.Join(Shipped(), ", "))
	case c.Wait < 0:
		return fault.New(fault.Usage, "--wait is %s, must be 0 (not at all) or more", c.Wait)
	}
	return nil
}
