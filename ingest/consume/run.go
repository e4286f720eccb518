package consume

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/semaphore"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// Run consumes until the goal is reached (Config.UntilEnd) or ctx ends, which is the normal end without UntilEnd. It
// publishes open files before it returns. The Result counts what was published, also when there is an error. The error
// is a fault.DeadLetters when all went well but more documents were dead letters than Config.MaxDeadShare allows.
func Run(ctx context.Context, c Config) (Result, error) {
	return newRun(c, usualPace, patentParser(c)).start(ctx)
}

// errGoal ends a bounded run whose goal is reached.
var errGoal = errors.New("all records that the topic held at the start are read")

// run is what the parts of one Run share.
type run struct {
	config    Config
	pace      pace
	parser    func() parser
	log       *slog.Logger
	calm      *calm
	progress  progress.Task
	lag       *lag
	ledger    *ledger
	folder    *chain.Folder[schemas.Document]
	versions  *versions
	letters   *deadletter.Writer
	workers   *workers
	inFlight  *semaphore.Weighted
	clusterID string
	goal      *goal // nil when the run has no end

	end     context.CancelCauseFunc
	failing sync.Once
	failure error // of fail; to be read when all owners have ended
}

func newRun(c Config, p pace, newParser func() parser) *run {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	dir := c.Workspace.Table(schemas.Documents.Name)
	return &run{
		config: c, pace: p, parser: newParser, log: c.Log, calm: newCalm(c.Log), ledger: newLedger(),
		folder:   chain.NewFolder[schemas.Document](dir, schemas.Documents),
		versions: newVersions(dir, c.Workspace.Temp(), int64(c.VersionsMemory)),
		inFlight: semaphore.NewWeighted(int64(c.InFlightBytes)),
	}
}

func (r *run) start(parent context.Context) (Result, error) {
	if err := r.config.Validate(); err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	r.end = cancel
	r.progress = progress.Or(r.config.Progress).Start("consume", 0, progress.Records)
	defer r.progress.Done()
	r.lag = newLag(r.progress)
	defer func() { _ = r.versions.close() }()
	err := r.prepare(ctx)
	if err == nil && ctx.Err() == nil {
		err = r.consume(ctx)
	}
	if interrupted := parent.Err() != nil; interrupted && errors.Is(err, context.Canceled) {
		err = nil
		if r.config.UntilEnd {
			err = context.Cause(parent)
		}
	}
	result := r.ledger.sum()
	if err == nil {
		err = r.judge(result)
	}
	return result, err
}

// fail ends the run. The first error counts.
func (r *run) fail(err error) {
	r.failing.Do(func() { r.failure = err })
	r.end(err)
}

// prepare checks that the chains and the topic belong together, before anything is written.
func (r *run) prepare(ctx context.Context) (err error) {
	if err := r.folder.Sweep(); err != nil {
		return err
	}
	if r.clusterID, err = cluster.ID(ctx, r.config.Cluster); err != nil {
		return err
	}
	spans, err := r.spans(ctx)
	if err != nil {
		return err
	}
	total, err := r.check(spans)
	if err != nil {
		return err
	}
	if !r.config.UntilEnd {
		return nil
	}
	r.progress.SetTotal(total)
	r.goal = newGoal(spans, func() { r.end(errGoal) })
	for p := range spans {
		at, err := r.folder.Recover(r.source(p))
		if err != nil {
			return err
		}
		r.goal.pass(p, at.Next)
	}
	return nil
}

// spans returns what the topic holds. A run without an end waits for a topic that does not exist yet.
func (r *run) spans(ctx context.Context) (map[int]cluster.Span, error) {
	for {
		spans, err := cluster.Spans(ctx, r.config.Cluster, r.config.Topic)
		missing := (*cluster.NoTopicError)(nil)
		if !errors.As(err, &missing) || r.config.UntilEnd {
			return spans, err
		}
		r.calm.warn("waiting for the topic", "error", err)
		if !pause(ctx, r.pace.backoff) {
			return nil, nil // the normal end of a run without an end
		}
	}
}

// check compares the chains with what the topic holds, and returns how many records are to be read.
func (r *run) check(spans map[int]cluster.Span) (total int64, err error) {
	names, err := chain.List(r.folder.Dir())
	if err != nil {
		return 0, err
	}
	for _, n := range names {
		if _, ok := spans[n.Partition]; n.Topic == r.config.Topic && !ok && spans != nil {
			return 0, fault.New(fault.Rejected, "%s is of partition %d, but topic %s has %d partitions: the topic was deleted and made again; "+
				"move the files %s-*.parquet away to begin anew, or use another topic name",
				n.Path(r.folder.Dir()), n.Partition, n.Topic, len(spans), n.Topic)
		}
	}
	for p, span := range spans {
		at, err := r.folder.Recover(r.source(p))
		if err != nil {
			return 0, err
		}
		if err := r.folder.Check(r.source(p), at, span); err != nil {
			return 0, err
		}
		total += span.End - max(at.Next, span.First)
	}
	return total, nil
}

// consume runs the parts until ctx ends. The error is context.Canceled when that is the reason.
func (r *run) consume(ctx context.Context) (err error) {
	if r.letters, err = deadletter.NewWriter(r.config.Cluster, r.log); err != nil {
		return err
	}
	r.workers = startWorkers(r.config.workers(), r.parser)
	var watcher sync.WaitGroup
	if r.goal != nil {
		watcher.Go(func() { r.watch(ctx) })
	}
	if err := r.join(ctx); err != nil {
		r.fail(err)
	}
	watcher.Wait()
	r.workers.stop()
	closing := r.letters.Close()
	switch {
	case r.failure != nil:
		return r.failure
	case errors.Is(context.Cause(ctx), errGoal):
		return closing
	}
	return cmp.Or(closing, ctx.Err())
}

func (r *run) newTask(m kafka.Message) *task {
	// A record larger than all that may be in flight goes alone.
	weight := min(int64(len(m.Value)), int64(r.config.InFlightBytes))
	return &task{record: m, weight: weight, done: make(chan struct{})}
}

// report tells progress what a published file adds.
func (r *run) report(t *tally, parquetBytes int64) {
	r.progress.Count("documents", t.documents)
	r.progress.Count("unchanged", t.unchanged)
	r.progress.Count("dead_letters", t.dead())
	r.progress.Count("xml_bytes", t.xmlBytes)
	r.progress.Count("parquet_bytes", parquetBytes)
	r.progress.Count("files", 1)
}

func (r *run) judge(result Result) error {
	if result.Records == 0 {
		return nil
	}
	share := float64(result.DeadLetters) / float64(result.Records)
	if share <= r.config.MaxDeadShare {
		return nil
	}
	return fault.New(fault.DeadLetters, "%d of %d documents (%.1f %%) could not be read and are dead letters, more than --max-dead-share %g allows; "+
		"`dssdnet ingest dlq list` shows why", result.DeadLetters, result.Records, 100*share, r.config.MaxDeadShare)
}
