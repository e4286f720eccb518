package broker

import (
	"log/slog"
	"path/filepath"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of the embedded broker.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	// Topic is the bounded one.
	Topic string `yaml:"-"`

	Port       int            `yaml:"port" help:"port of the embedded broker on 127.0.0.1; 0 = chosen once per workspace and kept"`
	SpoolBytes settings.Bytes `yaml:"spool-bytes" help:"documents waiting to be consumed above which publishing waits; also about the memory needed to start after a kill"`
	SyncWrites bool           `yaml:"sync-writes" help:"acknowledge records only when they are on the disk, so that they survive a power cut"`
}

// Default settings.
func Default() Config {
	return Config{Topic: schemas.TopicXML, SpoolBytes: 2 << 30, SyncWrites: true}
}

// Validate checks the settings.
func (c Config) Validate() error {
	switch {
	case c.Workspace == "":
		return fault.New(fault.Usage, "the embedded broker needs a workspace folder (--workspace)")
	case c.Port < 0 || c.Port > 65535:
		return fault.New(fault.Usage, "the broker's port must be from 0 to 65535, not %d", c.Port)
	case c.SpoolBytes < 1<<20:
		return fault.New(fault.Usage, "--spool-bytes must be 1MiB or more, not %s", c.SpoolBytes)
	}
	return nil
}

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}

func (c Config) topic() string {
	if c.Topic == "" {
		return schemas.TopicXML
	}
	return c.Topic
}

// Files in the broker's folder. The lock is held by the process that serves and names it.
func (c Config) lockFile() string    { return filepath.Join(c.Workspace.Kafka(), "lock") }
func (c Config) addressFile() string { return filepath.Join(c.Workspace.Kafka(), "address.json") }
func (c Config) dataDir() string     { return filepath.Join(c.Workspace.Kafka(), "data") }
