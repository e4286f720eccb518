package consume

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
)

// goal is where a bounded run ends: the offsets at which the partitions ended when it began. The run is over when the
// files of all partitions reach it, whichever member wrote them. A run without an end has a nil goal.
type goal struct {
	reached func() // called once

	mu   sync.Mutex
	ends map[int]int64
	left map[int]struct{} // partitions whose files do not reach their end yet
}

func newGoal(spans map[int]cluster.Span, reached func()) *goal {
	g := &goal{reached: reached, ends: make(map[int]int64), left: make(map[int]struct{})}
	for p, span := range spans {
		g.ends[p] = span.End
		g.left[p] = struct{}{}
	}
	return g
}

// end returns the offset at which a partition ends. bounded is false when there is none, as for partitions that were
// added after the start.
func (g *goal) end(partition int) (offset int64, bounded bool) {
	if g == nil {
		return 0, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ends[partition], true
}

// pass notes that the files of a partition reach up to next, and reports whether its end is reached.
func (g *goal) pass(partition int, next int64) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if next < g.ends[partition] {
		return false
	}
	if _, ok := g.left[partition]; ok {
		delete(g.left, partition)
		if len(g.left) == 0 {
			g.reached()
		}
	}
	return true
}

// open returns the partitions whose end is not reached, in order.
func (g *goal) open() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	left := make([]int, 0, len(g.left))
	for p := range g.left {
		left = append(left, p)
	}
	slices.Sort(left)
	return left
}

// watch looks how far the files of all members reach, until ctx ends. It fails the run when they have not grown for
// MaxWait: the brokers are away for good, or whoever has the partitions does nothing.
func (r *run) watch(ctx context.Context) {
	var reach int64
	grown := time.Now()
	for pause(ctx, r.pace.goal) {
		var now int64
		open := r.goal.open()
		for _, p := range open {
			at, err := r.folder.Recover(r.source(p))
			if err != nil {
				r.fail(err)
				return
			}
			r.goal.pass(p, at.Next)
			now += at.Next
		}
		switch limit := r.config.MaxWait; {
		case now != reach:
			reach, grown = now, time.Now()
		case limit > 0 && time.Since(grown) > limit:
			r.fail(fmt.Errorf("gave up after %s (--max-wait) in which no file was published, with records left in the partitions %v of topic %s: "+
				"see the log for what was waited for; what is published stays, and consuming again goes on there", limit, open, r.config.Topic))
			return
		}
	}
}

func (r *run) source(partition int) chain.Source {
	return chain.Source{ClusterID: r.clusterID, Topic: r.config.Topic, Partition: partition}
}
