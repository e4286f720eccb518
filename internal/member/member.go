package member

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
)

// Config of a member.
type Config struct {
	Cluster cluster.Config
	Log     *slog.Logger
	Topic   string
	Group   string
	Pace    Pace

	UntilEnd       bool          // stop at the offsets at which the topic ends when the run begins
	MaxWait        time.Duration // with UntilEnd: time without a published file after which the run fails; 0 is never
	SessionTimeout time.Duration // after which the partitions of a member that was killed go to others

	// Lag, unless nil, is told how many records of a partition are still to be read, and 0 when the partition is not
	// this member's any more. It is called by the goroutines of all partitions.
	Lag func(partition int, records int64)
}

// Pace is how long things may take. Only tests have reason to change it.
type Pace struct {
	Quiet   time.Duration // without a record, before a partition is looked at; doubled each time the reader was stuck
	Goal    time.Duration // how often the other members' partitions are looked at
	Backoff time.Duration // after an error
	Added   time.Duration // how often new partitions are looked for
}

// UsualPace is that of real runs.
func UsualPace() Pace {
	return Pace{Quiet: 10 * time.Second, Goal: time.Second, Backoff: time.Second, Added: 5 * time.Second}
}

// Files are the chains of files that are the position of the group: a [chain.Folder], whatever its rows are.
type Files interface {
	Dir() string
	Recover(chain.Source) (chain.Position, error)
	Check(s chain.Source, at chain.Position, holds cluster.Span) error
	Sweep() error
}

// Stage makes files of records.
type Stage interface {
	// Begin is called once, when files and topic were found to belong together and nothing has been written. An error
	// ends the run. Own is not called before Begin has returned, and perhaps never.
	Begin(*Member) error

	// Own makes files of the records of one partition, beginning at at.Next, where its files end. It is called in a
	// goroutine of its own for each partition while that is this member's, and again when it returned chain.ErrTaken.
	//
	// It returns nil when the goal is reached (Partition.End, Partition.Published). When ctx ends, because the
	// partition goes to another member or the run is over, it returns soon, with ctx's error or nil; it may publish
	// what it has before. Any other error ends the run.
	Own(ctx context.Context, p *Partition, at chain.Position) error
}

// errGoal ends a bounded run whose goal is reached.
var errGoal = errors.New("the files hold all records that the topic held at the start")

// Member is one run of a member. Its methods are safe for concurrent use.
type Member struct {
	config    Config
	files     Files
	stage     Stage
	calm      *calm
	clusterID string
	spans     map[int]cluster.Span // what the topic held at the start
	left      int64
	goal      *goal // nil when the run has no end

	end     context.CancelCauseFunc
	failing sync.Once
	failure error // of fail; to be read when all owners have ended
}

// Run is a member of the group until the goal is reached (Config.UntilEnd), ctx ends or something fails. All calls of
// the stage have returned when it does. The error is nil when the goal was reached, and when ctx ended a run without an
// end, which is its normal end; a bounded run that ctx ended returns ctx's cause.
func Run(ctx context.Context, c Config, files Files, stage Stage) error {
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := &Member{config: c, files: files, stage: stage, calm: newCalm(c.Log), end: cancel}
	err := m.run(working)
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return err
	}
	if c.UntilEnd {
		return context.Cause(ctx)
	}
	return nil
}

func (m *Member) run(ctx context.Context) error {
	if err := m.prepare(ctx); err != nil {
		return err
	}
	if err := m.stage.Begin(m); err != nil {
		return err
	}
	var watcher sync.WaitGroup
	if m.goal != nil {
		watcher.Go(func() { m.watch(ctx) })
	}
	if ctx.Err() == nil {
		if err := m.join(ctx); err != nil {
			m.fail(err)
		}
	}
	watcher.Wait()
	switch {
	case m.failure != nil:
		return m.failure
	case errors.Is(context.Cause(ctx), errGoal):
		return nil
	}
	return ctx.Err()
}

// fail ends the run. The first error counts.
func (m *Member) fail(err error) {
	m.failing.Do(func() { m.failure = err })
	m.end(err)
}

// Left is how many records were to be read when the run began.
func (m *Member) Left() int64 { return m.left }

// Partitions are those that the topic had when the run began, in order.
func (m *Member) Partitions() []chain.Source {
	var all []chain.Source
	for _, p := range slices.Sorted(maps.Keys(m.spans)) {
		all = append(all, m.source(p))
	}
	return all
}

// Working says that the stage gets on although no file is published yet, so that MaxWait begins anew.
func (m *Member) Working() { m.goal.sign() }

func (m *Member) source(partition int) chain.Source {
	return chain.Source{ClusterID: m.clusterID, Topic: m.config.Topic, Partition: partition}
}

// prepare checks that files and topic belong together, before anything is written.
func (m *Member) prepare(ctx context.Context) (err error) {
	if err := m.files.Sweep(); err != nil {
		return err
	}
	if m.clusterID, err = cluster.ID(ctx, m.config.Cluster); err != nil {
		return err
	}
	if m.spans, err = m.holds(ctx); err != nil {
		return err
	}
	if err := m.foreign(); err != nil {
		return err
	}
	if m.config.UntilEnd {
		m.goal = newGoal(m.spans, func() { m.end(errGoal) })
	}
	for p, span := range m.spans {
		at, err := m.files.Recover(m.source(p))
		if err != nil {
			return err
		}
		if err := m.files.Check(m.source(p), at, span); err != nil {
			return err
		}
		m.left += span.End - max(at.Next, span.First)
		m.goal.pass(p, at.Next)
	}
	return nil
}

// holds returns what the topic holds. A run without an end waits for a topic that does not exist yet.
func (m *Member) holds(ctx context.Context) (map[int]cluster.Span, error) {
	for {
		spans, err := cluster.Spans(ctx, m.config.Cluster, m.config.Topic)
		missing := (*cluster.NoTopicError)(nil)
		if !errors.As(err, &missing) || m.config.UntilEnd {
			return spans, err
		}
		m.Warn("waiting for the topic", "error", err)
		if !pause(ctx, m.config.Pace.Backoff) {
			return nil, ctx.Err()
		}
	}
}

// foreign refuses files of partitions that the topic does not have.
func (m *Member) foreign() error {
	names, err := chain.List(m.files.Dir())
	if err != nil {
		return err
	}
	for _, n := range names {
		if _, ok := m.spans[n.Partition]; n.Topic == m.config.Topic && !ok {
			return fault.New(fault.Rejected, "%s is of partition %d, but topic %s has %d partitions: the topic was deleted and made again; "+
				"move the files %s-*.parquet away to begin anew, or use another topic name",
				n.Path(m.files.Dir()), n.Partition, n.Topic, len(m.spans), n.Topic)
		}
	}
	return nil
}
