package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/cluster"
)

// topicSettings are those of the topic when publish makes it. Nothing expires: consumers may be late.
var topicSettings = map[string]string{
	"max.message.bytes": fmt.Sprint(cluster.MaxMessageBytes),
	"retention.ms":      "-1",
	"cleanup.policy":    "delete",
}

// laneBytes is what the filling batches of all partitions may take together.
const laneBytes = 48 << 20

// sender sends batches and dead letters, and waits for brokers as long as the run goes on.
type sender struct {
	config     Config
	client     *kafka.Client
	lanes      []*lane
	partitions []int // 0, 1, ... for the balancer
	letters    *deadletter.Writer
	wait       *patience
	tally      *tally
}

// open makes the topic if need be, and a lane for each of its partitions.
func (s *sender) open(ctx context.Context) (err error) {
	c := s.config
	if err := cluster.EnsureTopic(ctx, c.Cluster, c.Topic, c.Partitions, topicSettings); err != nil {
		return err
	}
	spans, err := cluster.Spans(ctx, c.Cluster, c.Topic)
	if err != nil {
		return err
	}
	if s.client, err = c.Cluster.Client(); err != nil {
		return err
	}
	target := min(max(laneBytes/len(spans), 1<<20), cluster.BatchBytes)
	for p := range len(spans) {
		s.lanes = append(s.lanes, newLane(p, target, cluster.BatchBytes))
		s.partitions = append(s.partitions, p)
	}
	s.tally.topic(c.Topic, len(spans))
	return nil
}

func (s *sender) close() error {
	if s.client != nil {
		cluster.Release(s.client.Transport)
	}
	if s.letters != nil {
		return s.letters.Close()
	}
	return nil
}

// choose returns the lane of a document.
func (s *sender) choose(d document) *lane {
	return s.lanes[cluster.Balancer().Balance(kafka.Message{Key: []byte(d.key())}, s.partitions...)]
}

// drain sends the batches of a lane, one after the other, so that no retry can change their order.
func (s *sender) drain(ctx context.Context, l *lane) error {
	for batch := range l.out {
		if err := s.send(ctx, l.partition, batch); err != nil {
			for range l.out { // lets collect end
			}
			return err
		}
	}
	return nil
}

// send returns when the batch is acknowledged, or a document in it has become a dead letter because the topic does not
// take it. When ctx ends, the attempt in hand is the last one.
func (s *sender) send(ctx context.Context, partition int, batch []document) error {
	for attempt := 0; ; attempt++ {
		err := s.produce(ctx, partition, batch)
		switch {
		case err == nil:
			s.wait.over()
			s.tally.acknowledged(batch)
			return nil
		case tooLarge(err) && len(batch) > 1:
			half := len(batch) / 2
			if err := s.send(ctx, partition, batch[:half]); err != nil {
				return err
			}
			return s.send(ctx, partition, batch[half:])
		case tooLarge(err):
			return s.write(ctx, s.refused(batch[0]))
		case !passing(err):
			return s.config.Cluster.Explain(fmt.Sprintf("publish to topic %s, partition %d", s.config.Topic, partition), err)
		}
		if err := s.wait.pause(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// afterTheEnd is how long an attempt may go on after the run was interrupted.
const afterTheEnd = 10 * time.Second

func (s *sender) produce(ctx context.Context, partition int, batch []document) error {
	attempt, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(afterTheEnd, cancel) })
	defer stop()
	reply, err := s.client.Produce(attempt, &kafka.ProduceRequest{
		Topic: s.config.Topic, Partition: partition, RequiredAcks: kafka.RequireAll, Compression: s.config.codec(),
		Records: &records{batch: batch},
	})
	if err == nil {
		err = reply.Error
	}
	return err
}

// refused is the letter of a document that is too large for the topic.
func (s *sender) refused(d document) deadletter.Letter {
	f := &failure{classTopicLimit, fmt.Sprintf("topic %s refuses records of %d bytes: raise its max.message.bytes to %d, or lower --max-document-bytes",
		s.config.Topic, len(d.value), cluster.MaxMessageBytes)}
	l := f.letter(s.config.Topic, d.path)
	l.Range, l.SHA256, l.Value, l.Headers = d.span(), d.hash(), d.value, d.headers()
	return l
}

// write returns when the letter is acknowledged.
func (s *sender) write(ctx context.Context, l deadletter.Letter) (err error) {
	for attempt := 0; ; attempt++ {
		if err = s.letters.Write(ctx, l); err == nil {
			s.wait.over()
			s.tally.dead()
			s.config.log().Debug("dead letter", "path", l.Path, "class", l.Class, "reason", l.Message)
			return nil
		}
		if ctx.Err() != nil || !passing(err) {
			return err
		}
		if err := s.wait.pause(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// tooLarge reports whether the topic's limits refuse a batch.
func tooLarge(err error) bool {
	return errors.Is(err, kafka.MessageSizeTooLarge) || errors.Is(err, kafka.RecordListTooLarge)
}

// passing reports whether trying again can help: whatever is wrong with the network and the brokers, but not what they
// refuse on purpose.
func passing(err error) bool {
	var each kafka.WriteErrors
	if errors.As(err, &each) {
		for _, e := range each {
			if e != nil && !passing(e) {
				return false
			}
		}
		return true
	}
	var code kafka.Error
	if !errors.As(err, &code) {
		return true
	}
	// Unknown is what a broker answers that cannot write to its disk.
	return code.Temporary() || code == kafka.Unknown || code == kafka.BrokerNotAvailable
}
