package consume

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
)

// stream reads the records of a partition from an offset on. It waits for a broker that is away, and finds out what a
// kafka.Reader never tells: that it is stuck, and that the topic was deleted and made again.
type stream struct {
	cluster cluster.Config
	source  chain.Source
	calm    *calm
	pace    pace

	reader *kafka.Reader
	lines  lines
	closed atomic.Bool // the reader's last words are of no interest
	next   int64       // offset that is to be read next

	// anchor is the record before the first one, whose time must be lastTime. -1 means that there is none to check.
	anchor   int64
	lastTime time.Time

	waiting func(records int64) // told how many records a quiet partition still holds

	quiet  time.Duration // how long no record may come before the partition is looked at
	behind int           // how often in a row the partition was found to end before next
}

// pace is how long things may take. Only tests change it.
type pace struct {
	quiet   time.Duration // stream.quiet at first; doubled each time the reader was stuck
	goal    time.Duration // how often the other members' partitions are looked at
	backoff time.Duration // after an error of the group
	grace   time.Duration // for the last dead letters when a run ends
	added   time.Duration // how often new partitions are looked for
}

var usualPace = pace{quiet: 10 * time.Second, goal: time.Second, backoff: time.Second, grace: 10 * time.Second, added: 5 * time.Second}

const maxQuiet = 5 * time.Minute

// lostChecks is how often the end of a partition must lie before the position to be believed: after a change of
// leader, brokers say so for a moment.
const lostChecks = 3

func (r *run) openStream(s chain.Source, at chain.Position, holds cluster.Span) (*stream, error) {
	st := &stream{cluster: r.config.Cluster, source: s, calm: r.calm, pace: r.pace, quiet: r.pace.quiet,
		next: at.Next, anchor: -1, lastTime: at.LastTime, waiting: func(n int64) { r.lag.set(s.Partition, n) }}
	if last := at.Next - 1; holds.First <= last && !at.LastTime.IsZero() {
		st.anchor = last
	}
	return st, st.open()
}

func (s *stream) open() error {
	dialer, err := s.lines.dialer(s.cluster)
	if err != nil {
		return err
	}
	if s.reader != nil {
		s.close()
	}
	s.closed.Store(false)
	s.reader = kafka.NewReader(kafka.ReaderConfig{
		Brokers: s.cluster.Brokers, Dialer: dialer, Topic: s.source.Topic, Partition: s.source.Partition,
		MinBytes: 1, MaxBytes: cluster.MaxMessageBytes,
		QueueCapacity:    1,               // whole documents wait in it, and are not counted as in flight
		MaxWait:          3 * time.Second, // shorter waits run into the client's own read deadline, which ends the connection
		ReadBatchTimeout: time.Minute,     // for one record, which may be long
		ReadBackoffMax:   time.Second,
		ReadLagInterval:  -1,
		ErrorLogger: kafka.LoggerFunc(func(format string, args ...any) {
			if !s.closed.Load() {
				s.calm.warn("reading "+s.source.String(), "error", fmt.Sprintf(format, args...))
			}
		}),
	})
	from := s.next
	if s.anchor >= 0 {
		from = s.anchor
	}
	return s.reader.SetOffset(from)
}

func (s *stream) close() {
	s.closed.Store(true)
	s.lines.end(s.reader.Close, 0)
}

// read returns the next record, or a zero message and the offset up to which the topic holds none any more. It returns
// an error when ctx ends, or when waiting would not help.
func (s *stream) read(ctx context.Context) (m kafka.Message, gap int64, err error) {
	for {
		m, err := s.fetch(ctx)
		switch {
		case err == nil && m.Offset == s.anchor:
			s.anchor = -1
			if !m.Time.Equal(s.lastTime) {
				return kafka.Message{}, 0, s.replaced(m.Time)
			}
		case err == nil && m.Offset < s.next: // cannot be, but would double rows
		case err == nil:
			s.anchor = -1
			s.next = m.Offset + 1
			return m, 0, nil
		case ctx.Err() != nil:
			return kafka.Message{}, 0, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			gap, err := s.examine(ctx)
			if gap > 0 || err != nil {
				return kafka.Message{}, gap, err
			}
		case hopeless(err):
			return kafka.Message{}, 0, s.cluster.Explain("read "+s.source.String(), err)
		default:
			s.calm.warn("cannot read "+s.source.String()+", trying again", "error", s.cluster.Explain("read", err))
			if !pause(ctx, 100*time.Millisecond) {
				return kafka.Message{}, 0, ctx.Err()
			}
		}
	}
}

func (s *stream) fetch(ctx context.Context) (kafka.Message, error) {
	limited, cancel := context.WithTimeout(ctx, s.quiet)
	defer cancel()
	m, err := s.reader.FetchMessage(limited)
	if err == nil {
		s.quiet, s.behind = s.pace.quiet, 0
	}
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("reader of %s was closed", s.source)
	}
	return m, err
}

// examine looks at a partition from which nothing has come for a while. It returns the offset up to which there is
// nothing left, or 0.
func (s *stream) examine(ctx context.Context) (gap int64, err error) {
	spans, err := cluster.Spans(ctx, s.cluster, s.source.Topic)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		s.calm.warn("waiting for Kafka", "error", err)
		return 0, nil
	}
	holds, ok := spans[s.source.Partition]
	switch {
	case !ok || holds.End < s.next:
		s.behind++
		if s.behind < lostChecks {
			return 0, nil
		}
		return 0, fault.New(fault.Rejected, "%s had at least %d records and now ends at offset %d: the topic was deleted and made again, "+
			"or the broker lost its log; move the files %s-%05d-*.parquet away to begin anew, or use another topic name",
			s.source, s.next, holds.End-1, s.source.Topic, s.source.Partition)
	case holds.First > s.next:
		s.next, s.anchor = holds.First, -1
		return holds.First, s.open()
	case holds.End > s.next:
		s.waiting(holds.End - s.next)
		s.calm.log.Warn("no record came from "+s.source.String()+", connecting anew", "offset", s.next, "end", holds.End, "waited", s.quiet)
		s.quiet = min(2*s.quiet, maxQuiet)
		return 0, s.open()
	}
	s.behind = 0
	return 0, nil
}

func (s *stream) replaced(found time.Time) error {
	return fault.New(fault.Rejected, "the record at offset %d of %s was written at %s when it was read, and now there is one of %s: "+
		"the topic was deleted and made again; move the files %s-%05d-*.parquet away to begin anew, or use another topic name",
		s.next-1, s.source, s.lastTime.UTC().Format(time.RFC3339Nano), found.UTC().Format(time.RFC3339Nano),
		s.source.Topic, s.source.Partition)
}

// hopeless reports whether an error of Kafka stays until somebody changes a setting.
func hopeless(err error) bool {
	for _, e := range []error{kafka.TopicAuthorizationFailed, kafka.GroupAuthorizationFailed, kafka.ClusterAuthorizationFailed,
		kafka.SASLAuthenticationFailed, kafka.UnsupportedSASLMechanism, kafka.InvalidSessionTimeout} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
