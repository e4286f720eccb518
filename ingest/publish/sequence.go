package publish

import (
	"context"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/cluster"
)

// sequence puts the items of all jobs back in order and sends them off.
type sequence struct {
	sender   *sender
	stations *errgroup.Group
	reached  bool // the cluster has answered: from now on it is waited for when it is away
}

func (q *sequence) run(ctx context.Context, order <-chan *job) error {
	defer func() {
		for _, l := range q.sender.lanes {
			close(l.in)
		}
	}()
	for j := range order {
		for i := range items(ctx, j) {
			if err := q.dispatch(ctx, i); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// dispatch connects with the first item, and makes topic and lanes with the first document: input without any touches
// nothing.
func (q *sequence) dispatch(ctx context.Context, i item) error {
	s := q.sender
	if !q.reached {
		if _, err := cluster.ID(ctx, s.config.Cluster); err != nil {
			return err
		}
		q.reached = true
	}
	if i.letter != nil {
		return s.write(ctx, *i.letter)
	}
	if s.lanes == nil {
		if err := s.open(ctx); err != nil {
			return err
		}
		for _, l := range s.lanes {
			q.stations.Go(func() error { l.collect(); return nil })
			q.stations.Go(func() error { return s.drain(ctx, l) })
		}
	}
	select {
	case s.choose(i.document).in <- i.document:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// items are those of a job, until ctx ends.
func items(ctx context.Context, j *job) func(yield func(item) bool) {
	return func(yield func(item) bool) {
		for {
			select {
			case i, ok := <-j.items:
				if !ok || !yield(i) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}
