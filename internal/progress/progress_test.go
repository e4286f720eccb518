package progress

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func work(r Reporter) {
	task := r.Start("consume", 1000, Documents)
	for range 10 {
		task.Add(25)
	}
	task.SetTotal(500)
	task.Count("dead_letters", 3)
	task.Gauge("lag", 250)
	task.Done()
}

func TestLinesAreRateLimited(t *testing.T) {
	var b bytes.Buffer
	work(Lines{Log: slog.New(slog.NewTextHandler(&b, nil)), Interval: time.Hour})
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 1 {
		t.Fatalf("%d lines, want only the last:\n%s", len(lines), b.String())
	}
	for _, want := range []string{"msg=finished", "stage=consume", "documents=250", "total=500", `counts="dead_letters 3  lag 250"`} {
		if !strings.Contains(lines[0], want) {
			t.Errorf("no %s in %s", want, lines[0])
		}
	}
	b.Reset()
	work(Lines{Log: slog.New(slog.NewTextHandler(&b, nil)), Interval: time.Nanosecond})
	if n := strings.Count(b.String(), "msg=progress"); n != 10 {
		t.Errorf("%d progress lines, want 10", n)
	}
}

func TestBarsEnd(t *testing.T) {
	var b bytes.Buffer
	bars := NewBars(&b)
	work(bars)
	bars.Start("merge", 10, Bytes).Add(1) // a task that an error ended is never done
	closed := make(chan struct{})
	go func() { bars.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("Close waits for a task that will never be done")
	}
}
