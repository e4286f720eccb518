package peertest

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// A peer that answers with rising seconds, and both sides note when it is their turn.
func TestTake(t *testing.T) {
	var turns []string
	taskOut, taskIn := io.Pipe()
	lineOut, lineIn := io.Pipe()
	go func() {
		defer lineIn.Close()
		tasks := bufio.NewScanner(taskOut)
		for n := 1; tasks.Scan(); n++ {
			turns = append(turns, tasks.Text())
			fmt.Fprintf(lineIn, `{"wall": %d, "cpu": %d}`+"\n", n*1000, n*1000)
		}
	}()
	got, err := Take(3, func() error { turns = append(turns, "ours"); return nil }, &Peer{taskIn, bufio.NewScanner(lineOut)}, "step")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Fields("ours step step ours ours step step ours"); !slices.Equal(turns, want) {
		t.Errorf("turns are %s, want %s", turns, want)
	}
	if got.Times.Wall < 1000 || got.Times.CPU < 1000 {
		t.Errorf("a peer of thousands of seconds is %v times slower", got.Times)
	}
	_ = taskIn.Close()
	if _, err := Take(1, func() error { return nil }, &Peer{taskIn, bufio.NewScanner(lineOut)}, "step"); err == nil {
		t.Error("a peer that ended has turns")
	}
}

func TestTakeAlone(t *testing.T) {
	runs := 0
	got, err := Take(4, func() error { runs++; return nil }, nil, "step")
	if err != nil || runs != 5 || got.Times != (Seconds{}) {
		t.Errorf("%d runs, %v, %v", runs, got, err)
	}
}

func TestMedian(t *testing.T) {
	if a, b := median([]float64{9, 1, 2}), median([]float64{4, 1, 9, 2}); a != 2 || b != 3 {
		t.Errorf("medians are %v and %v, want 2 and 3", a, b)
	}
}
