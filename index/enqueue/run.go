package enqueue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/index/query"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Cluster   cluster.Config    `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Topic      string   `yaml:"topic" help:"Kafka topic that the queries go to"`
	Partitions int      `yaml:"partitions" help:"partitions of the Kafka topic if it does not exist: as many workers can share it"`
	Sets       []string `yaml:"sets" help:"topic sets to put into it; all when none is named"`
	Force      bool     `yaml:"force" help:"put the topics into it again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config { return Config{Topic: schemas.TopicQueries, Partitions: 24} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.Topic == "":
		return fault.New(fault.Usage, "--topic is empty")
	case c.Partitions < 1:
		return fault.New(fault.Usage, "--partitions is %d, must be at least 1", c.Partitions)
	}
	return c.Cluster.Validate()
}

// Result of one run.
type Result struct {
	Skipped bool    `json:"skipped"` // nothing had changed; the counts are those of the run before
	Topics  int64   `json:"topics"`
	Bytes   int64   `json:"bytes"` // of the messages
	Seconds float64 `json:"seconds"`
}

const (
	stage = "index-enqueue"
	unit  = progress.Unit("topics")
	batch = 100 // messages sent at a time
)

// Run puts the topics into the Kafka topic.
func Run(ctx context.Context, c Config) (result Result, err error) {
	if err := c.Validate(); err != nil {
		return result, err
	}
	started := time.Now()
	made, err := c.manifest(ctx)
	if err != nil {
		return result, err
	}
	made.Started = started
	if err := cluster.EnsureTopic(ctx, c.Cluster, c.Topic, c.Partitions, map[string]string{
		"max.message.bytes": fmt.Sprint(cluster.MaxMessageBytes),
	}); err != nil {
		return result, err
	}
	if result, ok := c.unchanged(ctx, made); ok {
		return result, nil
	}
	if result, err = c.send(ctx); err != nil {
		return result, err
	}
	result.Seconds = time.Since(started).Seconds()
	if err := made.Record(c.Workspace.Manifests(), result); err != nil {
		return result, fmt.Errorf("manifest of the queries in %s: %w", c.Topic, err)
	}
	return result, nil
}

func (c Config) manifest(ctx context.Context) (manifest.Manifest, error) {
	m := manifest.Manifest{Stage: stage, Name: c.Topic, Schema: "queries/" + schemas.SearchVersion}
	paths, err := query.TopicFiles(c.Workspace.Table(schemas.Topics.Name))
	if err != nil {
		return m, err
	}
	if m.Inputs, err = manifest.HashInputs(paths); err != nil {
		return m, err
	}
	id, err := cluster.ID(ctx, c.Cluster)
	if err != nil {
		return m, err
	}
	m.Config, err = json.Marshal(map[string]any{"cluster": id, "topic": c.Topic, "sets": c.Sets})
	return m, err
}

// unchanged returns the result of the run before when this one would send the same, unless the Kafka topic has lost
// its records since.
func (c Config) unchanged(ctx context.Context, now manifest.Manifest) (result Result, ok bool) {
	if c.Force || !now.Repeats(c.Workspace.Manifests(), &result) {
		return Result{}, false
	}
	spans, err := cluster.Spans(ctx, c.Cluster, c.Topic)
	if err != nil {
		return Result{}, false
	}
	var held int64
	for _, span := range spans {
		held += span.End - span.First
	}
	result.Skipped = true
	return result, held >= result.Topics
}

func (c Config) send(ctx context.Context) (result Result, err error) {
	task := progress.Or(c.Progress).Start("index enqueue", 0, unit)
	defer task.Done()
	queries, err := cluster.NewBatch(c.Cluster, c.Topic, "queries", batch, c.Log, func(sent []kafka.Message) {
		for _, m := range sent {
			result.Bytes += int64(len(m.Value))
		}
		result.Topics += int64(len(sent))
		task.Add(int64(len(sent)))
	})
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, queries.Close()) }()
	err = query.EachTopic(ctx, c.Workspace.Table(schemas.Topics.Name), c.Sets, func(t *schemas.Topic) error {
		value, err := json.Marshal(schemas.QueryOf(t))
		if err != nil {
			return fmt.Errorf("topic %s: %w", t.TopicID, err)
		}
		return queries.Add(ctx, kafka.Message{
			Key: []byte(t.TopicID), Value: value,
			Headers: []kafka.Header{{Key: schemas.HeaderVersion, Value: []byte(schemas.SearchVersion)}},
		})
	})
	if err == nil {
		err = queries.Flush(ctx)
	}
	return result, err
}
