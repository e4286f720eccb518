package member

import (
	"slices"
	"testing"

	"dssdnet/internal/cluster"
)

func TestGoalIsReachedOnce(t *testing.T) {
	reached := 0
	g := newGoal(map[int]cluster.Span{0: {First: 0, End: 10}, 1: {First: 5, End: 5}, 2: {}}, func() { reached++ })
	if got := g.open(); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("open %v", got)
	}
	for _, pass := range []struct {
		partition int
		next      int64
		done      bool
	}{{2, 0, true}, {0, 9, false}, {1, 4, false}, {1, 5, true}, {1, 6, true}} {
		if got := g.pass(pass.partition, pass.next); got != pass.done {
			t.Errorf("%+v: %v", pass, got)
		}
	}
	if got := g.open(); !slices.Equal(got, []int{0}) || reached != 0 {
		t.Errorf("open %v, reached %d times", got, reached)
	}
	g.pass(0, 10)
	g.pass(0, 12)
	if reached != 1 {
		t.Errorf("reached %d times", reached)
	}
	if end, bounded := g.end(0); end != 10 || !bounded {
		t.Errorf("end %d, %v", end, bounded)
	}
	if done := g.pass(7, 0); !done {
		t.Error("a partition that was added after the start is not done")
	}
}

func TestNoGoalIsNeverReached(t *testing.T) {
	var g *goal
	g.sign()
	if _, bounded := g.end(0); bounded || g.pass(0, 1<<60) {
		t.Error("a run without an end has one")
	}
}
