package worker

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dssdnet/index"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const unit = progress.Unit("topics")

// Run draws pools until the goal is reached (Config.UntilEnd) or ctx ends, which is the normal end without UntilEnd.
// The Result counts what was published, also when there is an error. The error is a fault.DeadLetters when all went
// well but more records were no query than Config.MaxDeadShare allows.
func Run(ctx context.Context, c Config) (Result, error) { return start(ctx, c, usualPace) }

// errGoal ends a bounded run whose goal is reached.
var errGoal = errors.New("all queries that the topic held at the start are done")

// run is what the parts of one Run share.
type run struct {
	config    Config
	pace      pace
	log       *slog.Logger
	calm      *calm
	task      progress.Task
	ledger    *ledger
	folder    *chain.Folder[schemas.Pool]
	letters   *deadletter.Writer
	ix        *index.Index
	settings  string // of the search, as JSON: the same for all files of the pool
	clusterID string
	goal      *goal // nil when the run has no end

	end     context.CancelCauseFunc
	failing sync.Once
	failure error // of fail; to be read when all owners have ended
}

func start(parent context.Context, c Config, p pace) (result Result, err error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	r := &run{
		config: c, pace: p, log: c.Log, calm: newCalm(c.Log), end: cancel, ledger: &ledger{started: time.Now()},
		folder: chain.NewFolder[schemas.Pool](pool.Dir(c.Workspace, c.Pool), schemas.Pools),
	}
	r.task = progress.Or(c.Progress).Start("index worker", 0, unit)
	defer r.task.Done()
	if err := r.open(ctx); err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, r.ix.Close()) }()
	if err = r.prepare(ctx); err == nil {
		err = r.work(ctx)
	}
	if parent.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil
		if c.UntilEnd {
			err = context.Cause(parent)
		}
	}
	result = r.ledger.sum()
	result.Pool, result.Index = c.Pool, r.ix.Name()
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

// open opens the index and checks the settings against it.
func (r *run) open(ctx context.Context) error {
	settings, err := json.Marshal(r.config.Config)
	if err != nil {
		return err
	}
	r.settings = string(settings)
	if _, err := os.Stat(filepath.Join(r.folder.Dir(), pool.PoolFile)); err == nil {
		return fault.New(fault.Rejected, "pool %s was drawn by dssdnet index search: choose another --pool for the queries of %s", r.config.Pool, r.config.FromTopic)
	}
	build, err := index.Current(r.config.Workspace.Table("index"))
	if err != nil {
		return err
	}
	if r.ix, err = index.Open(ctx, build, index.Options{CacheBytes: int64(r.config.CacheBytes)}); err != nil {
		return err
	}
	if _, err := query.NewPlanner(r.ix, r.config.Config); err != nil {
		return errors.Join(err, r.ix.Close())
	}
	return nil
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
	if r.config.UntilEnd {
		r.goal = newGoal(spans, func() { r.end(errGoal) })
	}
	for p, span := range spans {
		at, err := r.folder.Recover(r.source(p))
		if err != nil {
			return err
		}
		if err := r.folder.Check(r.source(p), at, span); err != nil {
			return err
		}
		if _, err := r.known(r.source(p)); err != nil {
			return err
		}
		r.goal.pass(p, at.Next)
	}
	return nil
}

// spans returns what the topic holds. A run without an end waits for a topic that does not exist yet.
func (r *run) spans(ctx context.Context) (map[int]cluster.Span, error) {
	for {
		spans, err := cluster.Spans(ctx, r.config.Cluster, r.config.FromTopic)
		missing := (*cluster.NoTopicError)(nil)
		if !errors.As(err, &missing) {
			return spans, err
		}
		if r.config.UntilEnd {
			return nil, fault.New(fault.Rejected, "Kafka %s has no topic %s: run dssdnet index enqueue first, or check the topic's name", r.config.Cluster, r.config.FromTopic)
		}
		r.calm.warn("waiting for the topic", "error", err)
		if !pause(ctx, r.pace.backoff) {
			return nil, ctx.Err()
		}
	}
}

// work runs the parts until ctx ends.
func (r *run) work(ctx context.Context) (err error) {
	if ctx.Err() != nil && errors.Is(context.Cause(ctx), errGoal) {
		return nil
	}
	if r.letters, err = deadletter.NewWriter(r.config.Cluster, r.log); err != nil {
		return err
	}
	var watcher sync.WaitGroup
	if r.goal != nil {
		watcher.Go(func() { r.watch(ctx) })
	}
	if err := r.join(ctx); err != nil {
		r.fail(err)
	}
	watcher.Wait()
	closing := r.letters.Close()
	switch {
	case r.failure != nil:
		return r.failure
	case errors.Is(context.Cause(ctx), errGoal):
		return closing
	}
	return errors.Join(closing, ctx.Err())
}

func (r *run) judge(result Result) error {
	share := float64(result.DeadLetters) / float64(max(1, result.Records))
	if share <= r.config.MaxDeadShare {
		return nil
	}
	return fault.New(fault.DeadLetters, "%d of %d records of %s are no query, more than --max-dead-share %v allows; `dssdnet ingest dlq list` shows why",
		result.DeadLetters, result.Records, r.config.FromTopic, r.config.MaxDeadShare)
}
