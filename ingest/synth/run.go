package synth

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/progress"
)

// collectionName is the folder of the documents in the output folder.
const collectionName = "collection"

// Run writes the collection, the topics and the qrels, and synth.json last. A run that was killed is completed by
// running it again; a finished one is left alone and its result returned.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if err := cfg.Validate(); err != nil {
		return Result{}, err
	}
	first := author{universe: newUniverse(cfg)}
	topics, err := first.chooseTopics(ctx, cfg)
	if err != nil {
		return Result{}, err
	}
	out, finished, err := openFolder(cfg.Out, cfg.identity())
	if err != nil {
		return Result{}, err
	}
	if finished != nil {
		return *finished, nil
	}
	defer out.close()
	result, err := writeCollection(ctx, cfg, out, first.universe, topics)
	if err != nil {
		return Result{}, err
	}
	shelf, err := newTree(out, ".", 0)
	if err != nil {
		return Result{}, fmt.Errorf("write topics: %w", err)
	}
	if result.Topics, err = first.writeTopics(topics, shelf); err != nil {
		return Result{}, err
	}
	if err := out.finish(result); err != nil {
		return Result{}, err
	}
	return result, nil
}

// writeCollection shares the shards out among the workers. Which worker writes a shard changes nothing in it.
func writeCollection(ctx context.Context, cfg Config, out *folder, u *universe, topics []int) (Result, error) {
	b := batch{first: cfg.FirstPatent, last: u.last, omitted: map[int]bool{}}
	if cfg.OmitTopicPatents {
		for _, n := range topics {
			b.omitted[n] = true
		}
	}
	task := progress.Or(cfg.Progress).Start("synth", int64(cfg.Patents), progress.Patents)
	defer task.Done()
	workers := cfg.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		total = newResult()
		mu    sync.Mutex
		next  atomic.Int64
	)
	size := treeShardPatents
	if cfg.Archive != "" {
		size = archivePatents
	}
	group, ctx := errgroup.WithContext(ctx)
	for worker := range workers {
		group.Go(func() error {
			a := author{universe: u}
			for {
				first := int(next.Add(1)-1)*size + 1
				if first > b.last {
					return nil
				}
				count, err := a.shelveShard(ctx, out, &b, shard{first, min(first+size-1, b.last)}, cfg.Archive, worker)
				if err != nil {
					return err
				}
				mu.Lock()
				total.add(count)
				mu.Unlock()
				task.Add(int64(max(0, min(first+size-1, b.last)-max(first, b.first)+1)))
				task.Count("documents", int64(count.Files))
				task.Count("bytes", count.Bytes)
			}
		})
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	return total, nil
}

func (a *author) shelveShard(ctx context.Context, out *folder, b *batch, s shard, archive string, worker int) (Result, error) {
	var to shelf
	if archive != "" {
		to = newArchive(out, collectionName, archive, s.first)
	} else {
		t, err := newTree(out, collectionName, worker)
		if err != nil {
			return Result{}, err
		}
		to = t
	}
	defer to.discard()
	count, err := a.writeShard(ctx, b, s, to)
	if err == nil {
		err = to.close()
	}
	return count, err
}
