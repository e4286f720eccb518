package worker

import (
	"context"
	"slices"
	"sync"

	"dssdnet/internal/cluster"
)

// goal is where a bounded run ends: the offsets at which the partitions ended when it began. The run is over when the
// files of all partitions reach it, whichever worker wrote them. A run without an end has a nil goal.
type goal struct {
	reached func() // called once

	mu   sync.Mutex
	ends map[int]int64
	left map[int]bool // partitions whose files do not reach their end yet
}

func newGoal(spans map[int]cluster.Span, reached func()) *goal {
	g := &goal{reached: reached, ends: make(map[int]int64), left: make(map[int]bool)}
	for p, span := range spans {
		g.ends[p] = span.End
		g.left[p] = true
	}
	return g
}

// end returns the offset at which a partition ends. bounded is false when there is none.
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
	if g.left[partition] {
		delete(g.left, partition)
		if len(g.left) == 0 {
			g.reached()
		}
	}
	return true
}

// open returns the partitions whose end is not reached.
func (g *goal) open() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	var open []int
	for p := range g.left {
		open = append(open, p)
	}
	slices.Sort(open)
	return open
}

// watch looks how far the files of other workers reach, until ctx ends.
func (r *run) watch(ctx context.Context) {
	for pause(ctx, r.pace.goal) {
		for _, p := range r.goal.open() {
			at, err := r.folder.Recover(r.source(p))
			if err != nil {
				r.fail(err)
				return
			}
			r.goal.pass(p, at.Next)
		}
	}
}
