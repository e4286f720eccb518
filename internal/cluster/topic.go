package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"
)

// Span is the offsets that a partition holds: from First up to, not including, End. They are equal when it is empty.
type Span struct{ First, End int64 }

// ID returns the id of the cluster: topics of one name in two clusters have nothing to do with each other.
func ID(ctx context.Context, c Config) (string, error) {
	client, err := c.Client()
	if err != nil {
		return "", err
	}
	defer Release(client.Transport)
	meta, err := client.Metadata(ctx, &kafka.MetadataRequest{})
	if err != nil {
		return "", c.Explain("read the cluster id", err)
	}
	if meta.ClusterID == "" {
		return "", fmt.Errorf("read the cluster id at Kafka %s: the broker gives none; Kafka 0.10.1 or newer is needed", c)
	}
	return meta.ClusterID, nil
}

// Spans returns what each partition of a topic holds. It waits some seconds for partitions whose leader changes.
func Spans(ctx context.Context, c Config, topic string) (map[int]Span, error) {
	client, err := c.Client()
	if err != nil {
		return nil, err
	}
	defer Release(client.Transport)
	return settled(ctx, c, client, topic, 15*time.Second)
}

// settled asks for the spans of a topic again and again while its partitions have no leader, or one that does not know
// it yet, as is usual right after the topic was made.
func settled(ctx context.Context, c Config, client *kafka.Client, topic string, patience time.Duration) (map[int]Span, error) {
	deadline := time.Now().Add(patience)
	for {
		spans, err := spansOf(ctx, c, client, topic)
		var code kafka.Error
		if err == nil || !errors.As(err, &code) || !code.Temporary() || time.Now().After(deadline) {
			return spans, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func spansOf(ctx context.Context, c Config, client *kafka.Client, topic string) (map[int]Span, error) {
	partitions, err := partitionsOf(ctx, c, client, topic)
	if err != nil {
		return nil, err
	}
	var ask []kafka.OffsetRequest
	for _, p := range partitions {
		if p.Error != nil || p.Leader.Host == "" {
			return nil, c.Explain(fmt.Sprintf("find the leader of topic %s, partition %d", topic, p.ID), cmp.Or(p.Error, error(kafka.LeaderNotAvailable)))
		}
		ask = append(ask, kafka.FirstOffsetOf(p.ID), kafka.LastOffsetOf(p.ID))
	}
	reply, err := client.ListOffsets(ctx, &kafka.ListOffsetsRequest{Topics: map[string][]kafka.OffsetRequest{topic: ask}})
	if err != nil {
		return nil, c.Explain("read the offsets of topic "+topic, err)
	}
	spans := make(map[int]Span, len(partitions))
	for _, p := range reply.Topics[topic] {
		if p.Error != nil {
			return nil, c.Explain(fmt.Sprintf("read the offsets of topic %s, partition %d", topic, p.Partition), p.Error)
		}
		spans[p.Partition] = Span{First: p.FirstOffset, End: p.LastOffset}
	}
	if len(spans) != len(partitions) {
		return nil, fmt.Errorf("read the offsets of topic %s at Kafka %s: %d of its %d partitions answered", topic, c, len(spans), len(partitions))
	}
	return spans, nil
}

func partitionsOf(ctx context.Context, c Config, client *kafka.Client, topic string) ([]kafka.Partition, error) {
	meta, err := client.Metadata(ctx, &kafka.MetadataRequest{Topics: []string{topic}})
	if err != nil {
		return nil, c.Explain("read the partitions of topic "+topic, err)
	}
	for _, t := range meta.Topics {
		switch {
		case t.Name != topic:
		case errors.Is(t.Error, kafka.UnknownTopicOrPartition):
			return nil, &NoTopicError{Topic: topic, Cluster: c.String()}
		case t.Error != nil:
			return nil, c.Explain("read the partitions of topic "+topic, t.Error)
		default:
			return t.Partitions, nil
		}
	}
	return nil, &NoTopicError{Topic: topic, Cluster: c.String()}
}

// NoTopicError says that a topic does not exist.
type NoTopicError struct{ Topic, Cluster string }

func (e *NoTopicError) Error() string {
	return fmt.Sprintf("Kafka %s has no topic %s: check the topic's name", e.Cluster, e.Topic)
}

// EnsureTopic creates a topic with these settings (max.message.bytes and so on) unless it exists, and returns when
// the leader of each partition answers. An existing topic stays as it is, whatever its partitions and settings.
func EnsureTopic(ctx context.Context, c Config, name string, partitions int, settings map[string]string) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	defer Release(client.Transport)
	// The transport answers metadata requests from a cache of this age, which is how often the wait below can see
	// something new.
	client.Transport.(*kafka.Transport).MetadataTTL = 2 * time.Second
	_, err = partitionsOf(ctx, c, client, name)
	if missing := (*NoTopicError)(nil); errors.As(err, &missing) {
		err = create(ctx, c, client, name, partitions, settings)
	}
	if err != nil {
		return err
	}
	_, err = settled(ctx, c, client, name, requestTimeout)
	return err
}

func create(ctx context.Context, c Config, client *kafka.Client, name string, partitions int, settings map[string]string) error {
	topic := kafka.TopicConfig{Topic: name, NumPartitions: partitions, ReplicationFactor: -1}
	for key, value := range settings {
		topic.ConfigEntries = append(topic.ConfigEntries, kafka.ConfigEntry{ConfigName: key, ConfigValue: value})
	}
	reply, err := client.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{topic}})
	if err == nil {
		err = reply.Errors[name]
	}
	if errors.Is(err, kafka.TopicAlreadyExists) {
		return nil
	}
	return c.Explain("create topic "+name, err)
}
