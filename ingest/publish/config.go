package publish

import (
	"log/slog"
	"runtime"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/compress"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of a run.
type Config struct {
	Paths     []string          `yaml:"-"` // files and folders to publish
	Workspace workspace.Dir     `yaml:"-"`
	Cluster   cluster.Config    `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Topic            string         `yaml:"topic" help:"topic to publish to; it is made when there is none"`
	Partitions       int            `yaml:"partitions" help:"partitions of the topic when it is made: how many consumers can share it"`
	Compression      string         `yaml:"compression" help:"of the records: none, snappy, lz4, zstd or gzip"`
	Readers          int            `yaml:"readers" help:"files read at the same time; 0 = one for each core"`
	MaxDocumentBytes settings.Bytes `yaml:"max-document-bytes" help:"longer documents are cut and marked as cut"`
	MaxMemberBytes   settings.Bytes `yaml:"max-member-bytes" help:"archive members that unpack to more are dead letters"`
	MaxArchiveRatio  float64        `yaml:"max-archive-ratio" help:"archives that unpack to more than this many times their size are dead letters"`
	MaxWait          time.Duration  `yaml:"max-wait" help:"time without any record taken by the brokers after which the command fails; 0 = never"`
	MaxDeadShare     float64        `yaml:"max-dead-share" help:"share of dead letters above which the exit code is 4"`
}

// Default settings. XML of patents shrinks to a fifth to a thirtieth, hostile archives to a thousandth and less.
func Default() Config {
	return Config{
		Topic: schemas.TopicXML, Partitions: 4, Compression: "none",
		MaxDocumentBytes: 8 << 20, MaxMemberBytes: 64 << 30, MaxArchiveRatio: 200, MaxWait: 10 * time.Minute, MaxDeadShare: 0.05,
	}
}

// maxDocument leaves room for the key and the headers in a batch.
const maxDocument = cluster.BatchBytes - 256<<10

// Validate checks the settings. The error is a fault.Usage.
func (c Config) Validate() error {
	var codec kafka.Compression
	switch {
	case len(c.Paths) == 0:
		return fault.New(fault.Usage, "nothing to publish: name files or folders")
	case c.Workspace == "":
		return fault.New(fault.Usage, "no workspace is given")
	case c.Topic == "":
		return fault.New(fault.Usage, "--topic is empty")
	case c.Partitions < 1:
		return fault.New(fault.Usage, "--partitions must be 1 or more, not %d", c.Partitions)
	case codec.UnmarshalText([]byte(c.Compression)) != nil:
		return fault.New(fault.Usage, "--compression: %q is not one of none, snappy, lz4, zstd, gzip", c.Compression)
	case c.Readers < 0:
		return fault.New(fault.Usage, "--readers must be 0 or more, not %d", c.Readers)
	case c.MaxDocumentBytes < 1<<10 || c.MaxDocumentBytes > maxDocument:
		return fault.New(fault.Usage, "--max-document-bytes must be from 1KiB to %d, not %s", maxDocument, c.MaxDocumentBytes)
	case c.MaxMemberBytes < 1:
		return fault.New(fault.Usage, "--max-member-bytes must be 1 or more")
	case !(c.MaxArchiveRatio >= 1):
		return fault.New(fault.Usage, "--max-archive-ratio must be 1 or more, not %g", c.MaxArchiveRatio)
	case c.MaxWait < 0:
		return fault.New(fault.Usage, "--max-wait must be 0 or more, not %s", c.MaxWait)
	case !(c.MaxDeadShare >= 0 && c.MaxDeadShare <= 1):
		return fault.New(fault.Usage, "--max-dead-share must be from 0 to 1, not %g", c.MaxDeadShare)
	}
	return c.Cluster.Validate()
}

func (c Config) readers() int {
	if c.Readers > 0 {
		return c.Readers
	}
	return runtime.GOMAXPROCS(0)
}

func (c Config) codec() (codec compress.Compression) {
	_ = codec.UnmarshalText([]byte(c.Compression)) // Validate has seen it
	return codec
}

func (c Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}
