package broker

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
)

// Result is what the log held when the broker was stopped.
type Result struct {
	Address   string  `json:"address"`
	ClusterID string  `json:"cluster_id"`
	Topics    []Topic `json:"topics"`
	Seconds   float64 `json:"seconds"`
}

// Topic is one topic of the log. Bytes is 0 when another process served.
type Topic struct {
	Name       string `json:"name"`
	Partitions int    `json:"partitions"`
	Records    int64  `json:"records"`
	Bytes      int64  `json:"bytes"`
}

// Run serves the workspace until ctx ends, which is its normal end and no error.
func Run(ctx context.Context, c Config) (Result, error) {
	started := time.Now()
	b, err := Open(ctx, c)
	if err != nil {
		return Result{}, err
	}
	if !b.Serving() {
		c.log().Info("another process serves this workspace; this one takes over when it ends", "address", b.cluster.String())
	}
	<-ctx.Done()
	result, err := b.report(context.WithoutCancel(ctx))
	result.Seconds = time.Since(started).Seconds()
	if closing := b.Close(); err == nil {
		err = closing
	}
	return result, err
}

func (b *Broker) report(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client, err := b.cluster.Client()
	if err != nil {
		return Result{}, err
	}
	defer cluster.Release(client.Transport)
	meta, err := client.Metadata(ctx, &kafka.MetadataRequest{})
	if err != nil {
		return Result{}, b.cluster.Explain("read the topics", err)
	}
	result := Result{Address: b.cluster.String(), ClusterID: meta.ClusterID}
	for _, t := range meta.Topics {
		topic := Topic{Name: t.Name, Partitions: len(t.Partitions)}
		spans, err := cluster.Spans(ctx, b.cluster, t.Name)
		if err != nil {
			return result, err
		}
		for _, s := range spans {
			topic.Records += s.End - s.First
		}
		topic.Bytes = b.bytes(t.Name)
		result.Topics = append(result.Topics, topic)
	}
	slices.SortFunc(result.Topics, func(x, y Topic) int { return cmp.Compare(x.Name, y.Name) })
	return result, nil
}

func (b *Broker) bytes(topic string) (n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil {
		return 0
	}
	for _, p := range b.server.kafka.PartitionInfos(topic) {
		n += p.NumBytes
	}
	return n
}
