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
	if made.Result, err = json.Marshal(result); err != nil {
		return result, err
	}
	made.Started, made.Finished = started, time.Now()
	if err := made.Write(c.Workspace.Manifests()); err != nil {
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
	for _, path := range paths {
		input, err := manifest.HashInput(path)
		if err != nil {
			return m, fmt.Errorf("read %s: %w", path, err)
		}
		m.Inputs = append(m.Inputs, input)
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
	m, err := manifest.Load(c.Workspace.Manifests(), stage, c.Topic)
	if c.Force || err != nil || !m.Same(now.Schema, now.Inputs, now.Config) || json.Unmarshal(m.Result, &result) != nil {
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
	w, err := cluster.NewWriter(c.Cluster, c.Topic, c.Log)
	if err != nil {
		return result, err
	}
	defer func() {
		err = errors.Join(err, w.Close())
		cluster.Release(w.Transport)
	}()
	task := progress.Or(c.Progress).Start("index enqueue", 0, unit)
	defer task.Done()
	var pending []kafka.Message
	flush := func() error {
		if err := w.WriteMessages(ctx, pending...); err != nil {
			return c.Cluster.Explain("write queries to topic "+c.Topic, err)
		}
		for _, m := range pending {
			result.Bytes += int64(len(m.Value))
		}
		result.Topics += int64(len(pending))
		task.Add(int64(len(pending)))
		pending = pending[:0]
		return nil
	}
	err = query.EachTopic(ctx, c.Workspace.Table(schemas.Topics.Name), c.Sets, func(t *schemas.Topic) error {
		value, err := json.Marshal(schemas.QueryOf(t))
		if err != nil {
			return fmt.Errorf("topic %s: %w", t.TopicID, err)
		}
		pending = append(pending, kafka.Message{
			Key: []byte(t.TopicID), Value: value,
			Headers: []kafka.Header{{Key: schemas.HeaderVersion, Value: []byte(schemas.SearchVersion)}},
		})
		if len(pending) == batch {
			return flush()
		}
		return nil
	})
	if err == nil && len(pending) > 0 {
		err = flush()
	}
	return result, err
}
