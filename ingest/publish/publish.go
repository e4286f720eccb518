package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/fault"
)

// Run publishes what is in Paths. When ctx ends it finishes the batches in hand and returns what was acknowledged
// until then, with ctx's error.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if err := checkPaths(c.Paths); err != nil {
		return Result{}, err
	}
	started := time.Now()
	t := newTally(c.Progress)
	err := publish(ctx, c, t)
	t.task.Done()
	result := t.snapshot()
	result.Topic, result.Seconds = c.Topic, time.Since(started).Seconds()
	return result, verdict(ctx, c, result, err)
}

// verdict is the error of a run that ended with err.
func verdict(ctx context.Context, c Config, r Result, err error) error {
	dead := r.Documents + r.DeadLetters
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("publishing was interrupted: %d documents are acknowledged; repeat the command to publish the rest: %w", r.Documents, ctx.Err())
	case err != nil:
		return err
	case dead == 0:
		return fault.New(fault.Rejected, "no document in %s: %d files read, passed over %s", strings.Join(c.Paths, ", "), r.Files, junkText(r.Junk))
	case float64(r.DeadLetters) > c.MaxDeadShare*float64(dead):
		return fault.New(fault.DeadLetters, "files or archive members that could not be read: %d; documents that were published: %d; see dssdnet ingest dlq list --stage publish",
			r.DeadLetters, r.Documents)
	}
	return nil
}

func junkText(junk map[string]int64) string {
	var parts []string
	for reason, n := range junk {
		parts = append(parts, fmt.Sprintf("%d %s", n, reason))
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// publish runs the stations of the way: walk, readers, sequence, and a lane for each partition.
func publish(ctx context.Context, c Config, t *tally) (err error) {
	letters, err := deadletter.NewWriter(c.Cluster, c.log())
	if err != nil {
		return err
	}
	s := &sender{config: c, letters: letters, wait: &patience{log: c.log(), limit: c.MaxWait}, tally: t}
	defer func() { err = errors.Join(err, s.close()) }()

	stations, ctx := errgroup.WithContext(ctx)
	// The jobs in order, and again for the readers. The first bounds how far reading runs ahead of publishing.
	order, work := make(chan *job, 2*c.readers()), make(chan *job)
	stations.Go(func() error {
		defer close(order)
		defer close(work)
		return walkAll(ctx, c, t, order, work)
	})
	for range c.readers() {
		stations.Go(func() error { return readJobs(ctx, c, t, work) })
	}
	stations.Go(func() error { return (&sequence{sender: s, stations: stations}).run(ctx, order) })
	return stations.Wait()
}

// walkAll makes a job of each file.
func walkAll(ctx context.Context, c Config, t *tally, order, work chan<- *job) error {
	pass := func(to chan<- *job, j *job) error {
		select {
		case to <- j:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	found := &findings{finder{ctx: ctx, topic: c.Topic, tally: t}, func(j *job) error { return pass(order, j) }}
	w := walker{ctx: ctx, out: found, emit: func(path string) error {
		t.file()
		j := newJob(path)
		if err := pass(order, j); err != nil {
			return err
		}
		return pass(work, j)
	}}
	seen := map[string]bool{}
	for _, p := range c.Paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		if err := w.walk(p); err != nil {
			return err
		}
	}
	return nil
}

// findings are what the walk itself finds: a failure of it is a job that is already done.
type findings struct {
	finder
	add func(*job) error
}

func (f *findings) fail(path string, why *failure) error {
	f.job = newJob(path)
	if err := f.finder.fail(path, why); err != nil {
		return err
	}
	close(f.job.items)
	return f.add(f.job)
}

// readJobs is one reader.
func readJobs(ctx context.Context, c Config, t *tally, work <-chan *job) error {
	f := &finder{ctx: ctx, topic: c.Topic, max: int64(c.MaxDocumentBytes), tally: t}
	u := &unpacker{ctx: ctx, out: f, maxMember: int64(c.MaxMemberBytes), maxRatio: c.MaxArchiveRatio, temp: c.Workspace.Temp()}
	for j := range work {
		f.job = j
		if err := u.file(j.path); err != nil {
			return err
		}
		close(j.items)
	}
	return nil
}
