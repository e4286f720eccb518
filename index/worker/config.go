package worker

import (
	"log/slog"
	"runtime"
	"time"

	"dssdnet/index/pool"
	"dssdnet/index/query"
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

	Pool         string `yaml:"pool" help:"name of the pool: pools/<name>/"`
	FromTopic    string `yaml:"from-topic" help:"Kafka topic that the queries come from"`
	Group        string `yaml:"group" help:"consumer group; its members share the partitions and must share the workspace; empty is dssdnet-pool-<name>"`
	UntilEnd     bool   `yaml:"until-end" help:"stop when the queries are done that the Kafka topic holds at the start; otherwise go on until interrupted"`
	query.Config `yaml:",inline"`

	CacheBytes   settings.Bytes `yaml:"cache-bytes" help:"memory for decoded postings, 5 bytes each"`
	Workers      int            `yaml:"workers" help:"topics searched at a time; 0 is one per core"`
	FileTopics   int            `yaml:"file-topics" help:"queries after which a file of the pool is published"`
	FileAge      time.Duration  `yaml:"file-age" help:"time after its first query when a file is published at the latest"`
	MaxDeadShare float64        `yaml:"max-dead-share" help:"share of records that are no query above which the exit code is 4"`

	MaxWait        time.Duration `yaml:"max-wait" help:"with --until-end: time without a pool drawn or a file published after which the command fails; 0 = never"`
	SessionTimeout time.Duration `yaml:"session-timeout" help:"time after which the partitions of a worker that was killed go to others"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{
		Pool: "bm25", FromTopic: schemas.TopicQueries, Config: query.Default(),
		CacheBytes: 2 << 30, FileTopics: 500, FileAge: 5 * time.Second, MaxDeadShare: 0.05,
		MaxWait: 10 * time.Minute, SessionTimeout: 10 * time.Second,
	}
}

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if err := pool.CheckName("pool", c.Pool); err != nil {
		return err
	}
	switch {
	case c.FromTopic == "" || c.FromTopic[0] == '.':
		return fault.New(fault.Usage, "--from-topic: %q is empty or begins with a dot", c.FromTopic)
	case c.CacheBytes < 0:
		return fault.New(fault.Usage, "--cache-bytes is %v, must be 0 or more", c.CacheBytes)
	case c.Workers < 0:
		return fault.New(fault.Usage, "--workers is %d, must be 0 (one per core) or more", c.Workers)
	case c.FileTopics < 1 || c.FileAge <= 0:
		return fault.New(fault.Usage, "--file-topics and --file-age must be more than 0")
	case !(c.MaxDeadShare >= 0 && c.MaxDeadShare <= 1):
		return fault.New(fault.Usage, "--max-dead-share is %v, must be from 0 to 1", c.MaxDeadShare)
	case c.MaxWait < 0 || c.MaxWait > 0 && c.MaxWait < c.FileAge:
		return fault.New(fault.Usage, "--max-wait is %s: it must be at least --file-age (%s), or 0", c.MaxWait, c.FileAge)
	case c.SessionTimeout < 100*time.Millisecond:
		return fault.New(fault.Usage, "--session-timeout is %v, must be 100ms or more", c.SessionTimeout)
	}
	if err := c.Config.Validate(); err != nil {
		return err
	}
	return c.Cluster.Validate()
}

func (c Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (c Config) group() string {
	if c.Group != "" {
		return c.Group
	}
	return "dssdnet-pool-" + c.Pool
}
