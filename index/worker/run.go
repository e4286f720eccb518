package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dssdnet/index"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/member"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const unit = progress.Unit("topics")

// Run draws pools until the goal is reached (Config.UntilEnd) or ctx ends, which is the normal end without UntilEnd.
// The Result counts what was published, also when there is an error. The error is a fault.DeadLetters when all went
// well but more records were no query than Config.MaxDeadShare allows.
func Run(ctx context.Context, c Config) (Result, error) { return start(ctx, c, member.UsualPace()) }

// run is what the parts of one Run share. It is the [member.Stage] that writes a pool.
type run struct {
	config   Config
	log      *slog.Logger
	member   *member.Member
	task     progress.Task
	ledger   *ledger
	folder   *chain.Folder[schemas.Pool]
	letters  *deadletter.Writer
	ix       *index.Index
	settings string // of the search, as JSON: the same for all files of the pool
}

func start(ctx context.Context, c Config, pace member.Pace) (result Result, err error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	r := &run{
		config: c, log: c.Log, ledger: &ledger{started: time.Now()},
		folder: chain.NewFolder[schemas.Pool](pool.Dir(c.Workspace, c.Pool), schemas.Pools),
	}
	r.task = progress.Or(c.Progress).Start("index worker", 0, unit)
	defer r.task.Done()
	if err := r.open(ctx); err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, r.ix.Close()) }()
	err = r.work(ctx, pace)
	result = r.ledger.sum()
	result.Pool, result.Index = c.Pool, r.ix.Name()
	if err == nil {
		err = r.judge(result)
	}
	return result, err
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

func (r *run) work(ctx context.Context, pace member.Pace) error {
	c := r.config
	err := member.Run(ctx, member.Config{
		Cluster: c.Cluster, Log: r.log, Topic: c.FromTopic, Group: c.group(), Pace: pace,
		UntilEnd: c.UntilEnd, MaxWait: c.MaxWait, SessionTimeout: c.SessionTimeout,
	}, r.folder, r)
	if missing := (*cluster.NoTopicError)(nil); errors.As(err, &missing) {
		err = fault.New(fault.Rejected, "%w, or run dssdnet index enqueue first", err)
	}
	if r.letters != nil {
		err = cmp.Or(err, r.letters.Close())
	}
	return err
}

// Begin implements [member.Stage].
func (r *run) Begin(m *member.Member) (err error) {
	r.member = m
	for _, partition := range m.Partitions() {
		if _, err := r.known(partition); err != nil {
			return err
		}
	}
	r.letters, err = deadletter.NewWriter(r.config.Cluster, r.log)
	return err
}

func (r *run) judge(result Result) error {
	share := float64(result.DeadLetters) / float64(max(1, result.Records))
	if share <= r.config.MaxDeadShare {
		return nil
	}
	return fault.New(fault.DeadLetters, "%d of %d records of %s are no query, more than --max-dead-share %v allows; `dssdnet ingest dlq list` shows why",
		result.DeadLetters, result.Records, r.config.FromTopic, r.config.MaxDeadShare)
}
