package member

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dssdnet/internal/cluster"
)

// goal is where a bounded run ends: the offsets at which the partitions ended when it began. The run is over when the
// files of all partitions reach it, whichever member wrote them. A run without an end has a nil goal.
type goal struct {
	reached func()       // called once
	signs   atomic.Int64 // of life, of the stage of this member

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

// end returns the offset at which a partition ends. bounded is false when there is none. A partition that was added
// after the start ends at 0.
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

// sign is a sign of life of the stage.
func (g *goal) sign() {
	if g != nil {
		g.signs.Add(1)
	}
}

// watch looks how far the files of all members reach, until ctx ends. It fails the run when for MaxWait they have not
// grown and this member's stage gave no sign of life: the brokers are away for good, or whoever has the partitions does
// nothing.
func (m *Member) watch(ctx context.Context) {
	var reach, signs int64
	moved := time.Now()
	for pause(ctx, m.config.Pace.Goal) {
		var now int64
		open := m.goal.open()
		for _, p := range open {
			at, err := m.files.Recover(m.source(p))
			if err != nil {
				m.fail(err)
				return
			}
			m.goal.pass(p, at.Next)
			now += at.Next
		}
		alive := m.goal.signs.Load()
		switch limit := m.config.MaxWait; {
		case now != reach || alive != signs:
			reach, signs, moved = now, alive, time.Now()
		case limit > 0 && time.Since(moved) > limit:
			m.fail(fmt.Errorf("gave up after %s (--max-wait) in which no file was published, with records left in the partitions %v of topic %s: "+
				"see the log for what was waited for; what is published stays, and the same command goes on there", limit, open, m.config.Topic))
			return
		}
	}
}
