package member

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

// Stream reads the records of a partition from an offset on. It waits for a broker that is away, and finds out what a
// kafka.Reader never tells: that it is stuck, and that the topic was deleted and made again. It is not safe for
// concurrent use.
type Stream struct {
	member *Member
	source chain.Source

	reader *kafka.Reader
	lines  lines
	closed atomic.Bool // the reader's last words are of no interest
	next   int64       // offset that is to be read next
	first  int64       // offset before which the topic had no records any more at the start

	// anchor is the record before the first one, whose time must be lastTime. -1 means that there is none to check.
	anchor   int64
	lastTime time.Time

	quiet  time.Duration // how long no record may come before the partition is looked at
	behind int           // how often in a row the partition was found to end before next
}

const maxQuiet = 5 * time.Minute

// lostChecks is how often the end of a partition must lie before the position to be believed: after a change of
// leader, brokers say so for a moment.
const lostChecks = 3

func newStream(p *Partition, at chain.Position, holds cluster.Span) (*Stream, error) {
	s := &Stream{member: p.member, source: p.Source, quiet: p.member.config.Pace.Quiet,
		next: at.Next, first: holds.First, anchor: -1, lastTime: at.LastTime}
	if last := at.Next - 1; holds.First <= last && !at.LastTime.IsZero() {
		s.anchor = last
	}
	return s, s.open(max(at.Next, holds.First))
}

// open connects, or connects anew, to read from an offset on, or from the anchor.
func (s *Stream) open(from int64) error {
	c := s.member.config.Cluster
	dialer, err := s.lines.dialer(c)
	if err != nil {
		return err
	}
	if s.reader != nil {
		s.Close()
	}
	s.closed.Store(false)
	s.reader = kafka.NewReader(kafka.ReaderConfig{
		Brokers: c.Brokers, Dialer: dialer, Topic: s.source.Topic, Partition: s.source.Partition,
		MinBytes: 1, MaxBytes: cluster.MaxMessageBytes,
		QueueCapacity:    1,               // whole documents wait in it, and are not counted as in flight
		MaxWait:          3 * time.Second, // shorter waits run into the client's own read deadline, which ends the connection
		ReadBatchTimeout: time.Minute,     // for one record, which may be long
		ReadBackoffMax:   time.Second,
		ReadLagInterval:  -1,
		ErrorLogger: kafka.LoggerFunc(func(format string, args ...any) {
			if !s.closed.Load() {
				s.member.Warn("reading "+s.source.String(), "error", fmt.Sprintf(format, args...))
			}
		}),
	})
	if s.anchor >= 0 {
		from = s.anchor
	}
	return s.reader.SetOffset(from)
}

// Close hangs up.
func (s *Stream) Close() {
	s.closed.Store(true)
	s.lines.end(s.reader.Close, 0)
}

// Next is the offset up to which everything was read.
func (s *Stream) Next() int64 { return s.next }

// Read returns the next record, or a zero message and the offset up to which the topic holds none any more. It returns
// an error when ctx ends, and may be called again then; any other error means that waiting would not help.
func (s *Stream) Read(ctx context.Context) (m kafka.Message, gap int64, err error) {
	if s.first > s.next {
		s.next = s.first
		return kafka.Message{}, s.first, nil
	}
	for {
		m, err := s.fetch(ctx)
		switch {
		case err == nil && m.Offset == s.anchor:
			s.anchor = -1
			if !m.Time.Equal(s.lastTime) {
				return kafka.Message{}, 0, s.replaced(m.Time)
			}
		case err == nil && m.Offset < s.next: // cannot be, but would count records twice
		case err == nil:
			s.anchor = -1
			s.next = m.Offset + 1
			s.lag(m.HighWaterMark)
			return m, 0, nil
		case ctx.Err() != nil:
			return kafka.Message{}, 0, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			gap, err := s.examine(ctx)
			if gap > 0 || err != nil {
				return kafka.Message{}, gap, err
			}
		case hopeless(err):
			return kafka.Message{}, 0, s.member.config.Cluster.Explain("read "+s.source.String(), err)
		default:
			s.member.Warn("cannot read "+s.source.String()+", trying again", "error", s.member.config.Cluster.Explain("read", err))
			if !pause(ctx, 100*time.Millisecond) {
				return kafka.Message{}, 0, ctx.Err()
			}
		}
	}
}

// lag tells how many records are still to be read.
func (s *Stream) lag(end int64) {
	if goal, bounded := s.member.goal.end(s.source.Partition); bounded {
		end = goal
	}
	s.member.lag(s.source.Partition, max(0, end-s.next))
}

func (s *Stream) fetch(ctx context.Context) (kafka.Message, error) {
	limited, cancel := context.WithTimeout(ctx, s.quiet)
	defer cancel()
	m, err := s.reader.FetchMessage(limited)
	if err == nil {
		s.quiet, s.behind = s.member.config.Pace.Quiet, 0
	}
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("reader of %s was closed", s.source)
	}
	return m, err
}

// examine looks at a partition from which nothing has come for a while. It returns the offset up to which there is
// nothing left, or 0.
func (s *Stream) examine(ctx context.Context) (gap int64, err error) {
	log := s.member.config.Log
	spans, err := cluster.Spans(ctx, s.member.config.Cluster, s.source.Topic)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil {
		s.member.Warn("waiting for Kafka", "error", err)
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
			"or the broker lost its log; %s", s.source, s.next, holds.End-1, s.advice())
	case holds.First > s.next:
		s.next, s.anchor = holds.First, -1
		return holds.First, s.open(s.next)
	case holds.End > s.next:
		s.lag(holds.End)
		log.Warn("no record came from "+s.source.String()+", connecting anew", "offset", s.next, "end", holds.End, "waited", s.quiet)
		s.quiet = min(2*s.quiet, maxQuiet)
		return 0, s.open(s.next)
	}
	s.behind = 0
	return 0, nil
}

func (s *Stream) replaced(found time.Time) error {
	return fault.New(fault.Rejected, "the record at offset %d of %s was written at %s when it was read, and now there is one of %s: "+
		"the topic was deleted and made again; %s",
		s.next-1, s.source, s.lastTime.UTC().Format(time.RFC3339Nano), found.UTC().Format(time.RFC3339Nano), s.advice())
}

// advice is what to do about a topic that was made again.
func (s *Stream) advice() string {
	return fmt.Sprintf("move the files %s-%05d-*.parquet out of %s to begin anew, or use another topic name",
		s.source.Topic, s.source.Partition, s.member.files.Dir())
}
