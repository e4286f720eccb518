package search

import (
	"context"

	"golang.org/x/sync/errgroup"

	"dssdnet/index"
	"dssdnet/index/bm25"
	"dssdnet/index/query"
	"dssdnet/schemas"
)

// job is a topic on its way; done gives its pool once.
type job struct {
	topic *schemas.Topic
	done  chan *Ranked
}

// RankAll ranks topics on several goroutines and calls take with the pools, in the order of the topics, from one
// goroutine. At most 4 topics a worker are under way.
func RankAll(ctx context.Context, ix *index.Index, c query.Config, workers int, topics func(yield func(*schemas.Topic) error) error, take func(*Ranked) error) error {
	scorer := bm25.New(ix, c.Params())
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan job)
	order := make(chan job, 4*workers)
	group.Go(func() error {
		defer close(jobs)
		defer close(order)
		return topics(func(t *schemas.Topic) error {
			j := job{t, make(chan *Ranked, 1)}
			for _, to := range []chan<- job{order, jobs} {
				select {
				case to <- j:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		group.Go(func() error {
			ranker, err := NewRanker(ix, scorer, c)
			if err != nil {
				return err
			}
			for j := range jobs {
				ranked, err := ranker.Rank(ctx, j.topic)
				if err != nil {
					return err
				}
				j.done <- ranked
			}
			return nil
		})
	}
	group.Go(func() error {
		for j := range order {
			select {
			case ranked := <-j.done:
				if err := take(ranked); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}
