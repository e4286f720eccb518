package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/index/pool"
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

	Pool       string `yaml:"pool" help:"name of the pool: pools/<name>/"`
	Topic      string `yaml:"topic" help:"Kafka topic that the pool goes to, one record a topic"`
	Partitions int    `yaml:"partitions" help:"partitions of the Kafka topic if it does not exist"`
	Force      bool   `yaml:"force" help:"put the pool into it again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config { return Config{Pool: "bm25", Topic: schemas.TopicPools, Partitions: 24} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.Topic == "":
		return fault.New(fault.Usage, "--topic is empty")
	case c.Partitions < 1:
		return fault.New(fault.Usage, "--partitions is %d, must be at least 1", c.Partitions)
	}
	if err := pool.CheckName("pool", c.Pool); err != nil {
		return err
	}
	return c.Cluster.Validate()
}

// Result of one run.
type Result struct {
	Skipped bool    `json:"skipped"` // nothing had changed; the counts are those of the run before
	Topics  int64   `json:"topics"`
	Rows    int64   `json:"rows"`
	Bytes   int64   `json:"bytes"` // of the messages
	Seconds float64 `json:"seconds"`
}

const (
	stage = "index-publish"
	unit  = progress.Unit("topics")
	batch = 50 // messages sent at a time, each about 50 KB
)

// Run puts the pool into the Kafka topic.
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
		"max.message.bytes": fmt.Sprint(cluster.MaxMessageBytes), "cleanup.policy": "compact",
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
		return result, fmt.Errorf("manifest of pool %s in topic %s: %w", c.Pool, c.Topic, err)
	}
	return result, nil
}

// unchanged returns the result of the run before when this one would send the same, unless the Kafka topic was made
// anew since.
func (c Config) unchanged(ctx context.Context, now manifest.Manifest) (result Result, ok bool) {
	if c.Force || !now.Repeats(c.Workspace.Manifests(), &result) {
		return Result{}, false
	}
	spans, err := cluster.Spans(ctx, c.Cluster, c.Topic)
	if err != nil {
		return Result{}, false
	}
	var ends int64 // how many records were ever written: compaction takes none away from it
	for _, span := range spans {
		ends += span.End
	}
	result.Skipped = true
	return result, ends >= result.Topics
}

func (c Config) manifest(ctx context.Context) (manifest.Manifest, error) {
	m := manifest.Manifest{Stage: stage, Name: c.Pool + "." + c.Topic, Schema: "pools/" + schemas.SearchVersion}
	paths, err := workspace.TableFiles(pool.Dir(c.Workspace, c.Pool))
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
	m.Config, err = json.Marshal(map[string]any{"cluster": id})
	return m, err
}

func (c Config) send(ctx context.Context) (result Result, err error) {
	dir := pool.Dir(c.Workspace, c.Pool)
	reader, err := pool.Open(dir)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	task := progress.Or(c.Progress).Start("index publish", 0, unit)
	defer task.Done()
	pools, err := cluster.NewBatch(c.Cluster, c.Topic, "pools", batch, c.Log, func(sent []kafka.Message) { task.Add(int64(len(sent))) })
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, pools.Close()) }()
	err = pool.EachQuery(dir, func(q pool.Query) error {
		rows, err := reader.Topic(q.TopicID)
		if err != nil {
			return err
		}
		m, err := message(c.Pool, q.TopicID, rows)
		if err != nil {
			return err
		}
		result.Topics++
		result.Rows += int64(len(rows))
		result.Bytes += int64(len(m.Value))
		return pools.Add(ctx, m)
	})
	if err == nil {
		err = pools.Flush(ctx)
	}
	return result, err
}

// message is the record of one topic.
func message(name, topic string, rows []schemas.Pool) (kafka.Message, error) {
	p := schemas.PoolMessage{TopicID: topic, Pool: name, Candidates: make([]schemas.PoolCandidate, len(rows))}
	for i, row := range rows {
		p.IndexBuild = row.IndexBuild
		p.Candidates[i] = schemas.PoolCandidate{PatentID: row.PatentID, Score: row.Score}
	}
	value, err := json.Marshal(p)
	if err != nil {
		return kafka.Message{}, fmt.Errorf("pool of topic %s: %w", topic, err)
	}
	return kafka.Message{
		Key: []byte(topic), Value: value,
		Headers: []kafka.Header{{Key: schemas.HeaderVersion, Value: []byte(schemas.SearchVersion)}},
	}, nil
}
