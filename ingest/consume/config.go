package consume

import (
	"log/slog"
	"runtime"
	"time"

	"dssdnet/ingest/patentxml"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of a run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Cluster   cluster.Config    `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	UntilEnd bool   `yaml:"until-end" help:"stop when the records are read that the topic holds at the start; otherwise go on until interrupted"`
	Topic    string `yaml:"topic" help:"topic to read"`
	Group    string `yaml:"group" help:"consumer group; its members share the partitions and must share the workspace"`

	ParseWorkers     int            `yaml:"parse-workers" help:"documents parsed at the same time; 0 = one for each core"`
	MaxDocumentBytes settings.Bytes `yaml:"max-document-bytes" help:"longer documents are cut and their rows marked truncated"`
	MaxFieldBytes    settings.Bytes `yaml:"max-field-bytes" help:"longer texts are cut and their rows marked truncated"`
	MaxDeadShare     float64        `yaml:"max-dead-share" help:"share of dead letters above which the exit code is 4"`

	FileBytes   settings.Bytes `yaml:"file-bytes" help:"XML after which a file is published"`
	FileRecords int            `yaml:"file-records" help:"records after which a file is published"`
	FileAge     time.Duration  `yaml:"file-age" help:"time after its first record when a file is published at the latest"`

	InFlightBytes  settings.Bytes `yaml:"in-flight-bytes" help:"XML that is read, parsed or waits for its turn to be written, all partitions together"`
	RowGroupBytes  settings.Bytes `yaml:"row-group-bytes" help:"XML whose rows wait in memory for the end of their row group, all partitions together"`
	VersionsMemory settings.Bytes `yaml:"versions-memory" help:"memory for what tells new documents from unchanged ones, about 40 bytes each; beyond it they go to a file"`

	MaxWait        time.Duration `yaml:"max-wait" help:"with --until-end: time without a published file after which the command fails; 0 = never"`
	SessionTimeout time.Duration `yaml:"session-timeout" help:"time after which the partitions of a consumer that was killed go to others"`
}

// Default keeps four partitions below 1 GB of memory.
func Default() Config {
	limits := patentxml.DefaultLimits()
	return Config{
		Topic: schemas.TopicXML, Group: "dssdnet",
		MaxDocumentBytes: settings.Bytes(limits.DocumentBytes), MaxFieldBytes: settings.Bytes(limits.FieldBytes),
		MaxDeadShare: 0.05,
		FileBytes:    256 << 20, FileRecords: 100_000, FileAge: time.Minute,
		InFlightBytes: 32 << 20, RowGroupBytes: 256 << 20, VersionsMemory: 128 << 20,
		MaxWait: 10 * time.Minute, SessionTimeout: 10 * time.Second,
	}
}

// Validate checks the settings. The error is a fault.Usage.
func (c Config) Validate() error {
	switch {
	case c.Workspace == "":
		return fault.New(fault.Usage, "no workspace is given")
	case c.Topic == "" || c.Topic[0] == '.':
		return fault.New(fault.Usage, "--topic: %q is empty or begins with a dot", c.Topic)
	case c.Group == "":
		return fault.New(fault.Usage, "--group is empty")
	case c.ParseWorkers < 0:
		return fault.New(fault.Usage, "--parse-workers must be 0 or more, not %d", c.ParseWorkers)
	case c.MaxDocumentBytes < 1, c.MaxFieldBytes < 1:
		return fault.New(fault.Usage, "--max-document-bytes and --max-field-bytes must be 1 or more")
	case !(c.MaxDeadShare >= 0 && c.MaxDeadShare <= 1):
		return fault.New(fault.Usage, "--max-dead-share must be from 0 to 1, not %g", c.MaxDeadShare)
	case c.FileBytes < 1, c.FileRecords < 1, c.FileAge <= 0:
		return fault.New(fault.Usage, "--file-bytes, --file-records and --file-age must be more than 0")
	case c.InFlightBytes < 1<<20, c.RowGroupBytes < 1<<20, c.VersionsMemory < 1<<20:
		return fault.New(fault.Usage, "--in-flight-bytes, --row-group-bytes and --versions-memory must be 1MiB or more")
	case c.MaxWait < 0 || c.MaxWait > 0 && c.MaxWait < c.FileAge:
		return fault.New(fault.Usage, "--max-wait is %s: it must be at least --file-age (%s), or 0", c.MaxWait, c.FileAge)
	case c.SessionTimeout < 100*time.Millisecond:
		return fault.New(fault.Usage, "--session-timeout must be 100ms or more, not %s", c.SessionTimeout)
	}
	return c.Cluster.Validate()
}

func (c Config) workers() int {
	if c.ParseWorkers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.ParseWorkers
}
