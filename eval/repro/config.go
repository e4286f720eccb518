package repro

import (
	"context"
	"log/slog"
	"os"
	"os/exec"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
)

// Config of one reproduction.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	File      string            `yaml:"-"` // the matrix
	// Exec runs a command: its words without "dssdnet". Nil runs this program, with the workspace in
	// DSSDNET_WORKSPACE and what it prints going to standard error.
	Exec func(ctx context.Context, args []string) error `yaml:"-"`

	Conditions []string `yaml:"condition" help:"conditions to reproduce, with those that they need; all when none is named"`
	Set        []string `yaml:"set" help:"NAME=VALUE: a variable of the matrix"`
	DryRun     bool     `yaml:"dry-run" help:"only show the commands"`
	SkipRun    bool     `yaml:"skip-run" help:"run no command, only compare the figures that are there"`
}

// Default is what the command starts from.
func Default() Config { return Config{} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.File == "":
		return fault.New(fault.Usage, "no matrix given: dssdnet repro FILE.yaml")
	case c.DryRun && c.SkipRun:
		return fault.New(fault.Usage, "--dry-run and --skip-run are both given: choose one")
	}
	return nil
}

// runSelf runs this program.
func (c Config) runSelf(ctx context.Context, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), "DSSDNET_WORKSPACE="+string(c.Workspace))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}
