package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
)

// pace is how long things may take. Only tests change it.
type pace struct {
	quiet   time.Duration // without a record, before a partition is looked at
	goal    time.Duration // how often the partitions of other workers are looked at
	backoff time.Duration // after an error
	grace   time.Duration // for the last dead letters when a run ends
}

var usualPace = pace{quiet: 10 * time.Second, goal: time.Second, backoff: time.Second, grace: 10 * time.Second}

// stream reads the records of a partition from an offset on, and waits for a broker that is away. It is not safe for
// concurrent use.
type stream struct {
	run    *run
	source chain.Source
	reader *kafka.Reader
	next   int64 // offset that is to be read next
}

func (r *run) openStream(s chain.Source, next int64) (*stream, error) {
	st := &stream{run: r, source: s, next: next}
	return st, st.open()
}

func (s *stream) open() error {
	if s.reader != nil {
		_ = s.reader.Close()
	}
	dialer, err := s.run.config.Cluster.Dialer()
	if err != nil {
		return err
	}
	s.reader = kafka.NewReader(kafka.ReaderConfig{
		Brokers: s.run.config.Cluster.Brokers, Dialer: dialer, Topic: s.source.Topic, Partition: s.source.Partition,
		MinBytes: 1, MaxBytes: cluster.MaxMessageBytes,
		MaxWait:         3 * time.Second, // shorter waits run into the client's own read deadline
		ReadBackoffMax:  time.Second,
		ReadLagInterval: -1,
	})
	return s.reader.SetOffset(s.next)
}

func (s *stream) close() { _ = s.reader.Close() }

// errQuiet says that no record came for the time given.
var errQuiet = errors.New("no record")

// read returns the next record, waiting at most patience: then the error is errQuiet. A zero message with an offset is
// the last one of those that the topic does not hold any more.
func (s *stream) read(ctx context.Context, patience time.Duration) (m kafka.Message, err error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		m, err := s.reader.FetchMessage(limited)
		switch {
		case err == nil && m.Offset < s.next: // cannot be, but would draw pools twice
		case err == nil:
			s.next = m.Offset + 1
			return m, nil
		case ctx.Err() != nil:
			return m, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return m, errQuiet
		case hopeless(err):
			return m, s.run.config.Cluster.Explain("read "+s.source.String(), err)
		default:
			s.run.calm.warn("cannot read "+s.source.String()+", trying again", "error", err)
			if !pause(limited, 100*time.Millisecond) && ctx.Err() == nil {
				return m, errQuiet
			}
		}
	}
}

// examine looks at a quiet partition: it connects anew when there are records that do not come, and returns the first
// offset that the topic still holds when that lies ahead, else 0.
func (s *stream) examine(ctx context.Context) (first int64, err error) {
	spans, err := cluster.Spans(ctx, s.run.config.Cluster, s.source.Topic)
	if err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		s.run.calm.warn("waiting for Kafka", "error", err)
		return 0, nil
	}
	holds, ok := spans[s.source.Partition]
	switch {
	case !ok || holds.End < s.next:
		return 0, fault.New(fault.Rejected, "%s had at least %d queries and now ends at offset %d: the topic was deleted and made again; "+
			"draw the pools of the new one with another --pool", s.source, s.next, holds.End)
	case holds.First > s.next:
		s.next = holds.First
		return holds.First, s.open()
	case holds.End > s.next:
		return 0, s.open()
	}
	return 0, nil
}

// hopeless reports whether an error of Kafka stays until somebody changes a setting.
func hopeless(err error) bool {
	for _, e := range []error{
		kafka.TopicAuthorizationFailed, kafka.GroupAuthorizationFailed, kafka.ClusterAuthorizationFailed,
		kafka.SASLAuthenticationFailed, kafka.UnsupportedSASLMechanism, kafka.InvalidSessionTimeout,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// pause waits and reports whether ctx is still alive.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (r *run) source(partition int) chain.Source {
	return chain.Source{ClusterID: r.clusterID, Topic: r.config.FromTopic, Partition: partition}
}

// holds asks what a partition holds until the broker answers.
func (r *run) holds(ctx context.Context, s chain.Source) (cluster.Span, error) {
	for {
		spans, err := cluster.Spans(ctx, r.config.Cluster, s.Topic)
		if span, ok := spans[s.Partition]; ok {
			return span, nil
		}
		switch {
		case ctx.Err() != nil:
			return cluster.Span{}, ctx.Err()
		case err == nil:
			err = fmt.Errorf("%s does not exist", s)
		case hopeless(err):
			return cluster.Span{}, err
		}
		r.calm.warn("waiting for Kafka", "error", err)
		if !pause(ctx, r.pace.backoff) {
			return cluster.Span{}, ctx.Err()
		}
	}
}
