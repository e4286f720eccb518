package consume

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/semaphore"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/member"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// Run consumes until the goal is reached (Config.UntilEnd) or ctx ends, which is the normal end without UntilEnd. It
// publishes open files before it returns. The Result counts what was published, also when there is an error. The error
// is a fault.DeadLetters when all went well but more documents were dead letters than Config.MaxDeadShare allows.
func Run(ctx context.Context, c Config) (Result, error) {
	return newRun(c, usualPace(), patentParser(c)).start(ctx)
}

// run is what the parts of one Run share. It is the [member.Stage] that writes documents/.
type run struct {
	config   Config
	pace     pace
	parser   func() parser
	log      *slog.Logger
	member   *member.Member
	progress progress.Task
	lag      *lag
	ledger   *ledger
	folder   *chain.Folder[schemas.Document]
	versions *versions
	letters  *deadletter.Writer
	workers  *workers
	inFlight *semaphore.Weighted
}

// pace is how long things may take. Only tests change it.
type pace struct {
	member.Pace
	grace time.Duration // for the last dead letters when a run ends
}

func usualPace() pace { return pace{Pace: member.UsualPace(), grace: 10 * time.Second} }

func newRun(c Config, p pace, newParser func() parser) *run {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	dir := c.Workspace.Table(schemas.Documents.Name)
	return &run{
		config: c, pace: p, parser: newParser, log: c.Log, ledger: newLedger(),
		folder:   chain.NewFolder[schemas.Document](dir, schemas.Documents),
		versions: newVersions(dir, c.Workspace.Temp(), int64(c.VersionsMemory)),
		inFlight: semaphore.NewWeighted(int64(c.InFlightBytes)),
	}
}

func (r *run) start(ctx context.Context) (Result, error) {
	if err := r.config.Validate(); err != nil {
		return Result{}, err
	}
	r.progress = progress.Or(r.config.Progress).Start("consume", 0, progress.Records)
	defer r.progress.Done()
	r.lag = newLag(r.progress)
	defer func() { _ = r.versions.close() }()
	err := r.consume(ctx)
	result := r.ledger.sum()
	if err == nil {
		err = r.judge(result)
	}
	return result, err
}

func (r *run) consume(ctx context.Context) error {
	c := r.config
	err := member.Run(ctx, member.Config{
		Cluster: c.Cluster, Log: r.log, Topic: c.Topic, Group: c.Group, Pace: r.pace.Pace,
		UntilEnd: c.UntilEnd, MaxWait: c.MaxWait, SessionTimeout: c.SessionTimeout, Lag: r.lag.set,
	}, r.folder, r)
	if missing := (*cluster.NoTopicError)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("%w, or run dssdnet ingest publish first", err)
	}
	if r.workers != nil {
		r.workers.stop()
	}
	if r.letters != nil {
		err = cmp.Or(err, r.letters.Close())
	}
	return err
}

// Begin implements [member.Stage].
func (r *run) Begin(m *member.Member) (err error) {
	r.member = m
	if r.config.UntilEnd {
		r.progress.SetTotal(m.Left())
	}
	if r.letters, err = deadletter.NewWriter(r.config.Cluster, r.log); err != nil {
		return err
	}
	r.workers = startWorkers(r.config.workers(), r.parser)
	return nil
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
