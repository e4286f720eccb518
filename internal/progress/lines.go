package progress

import (
	"log/slog"
	"math"
	"sync"
	"time"
)

// Lines logs each task at most once per interval, and once when it is done: for logs and pipes.
type Lines struct {
	Log      *slog.Logger
	Interval time.Duration // 10 s when 0
}

// Start implements Reporter.
func (l Lines) Start(stage string, total int64, unit Unit) Task {
	if l.Interval == 0 {
		l.Interval = 10 * time.Second
	}
	return &lineTask{tally: newTally(stage, total, unit), lines: l, last: time.Now()}
}

type lineTask struct {
	*tally
	lines Lines

	lastMu sync.Mutex
	last   time.Time
}

func (t *lineTask) Add(n int64) {
	t.tally.Add(n)
	if t.due() {
		t.log("progress")
	}
}

func (t *lineTask) due() bool {
	t.lastMu.Lock()
	defer t.lastMu.Unlock()
	if time.Since(t.last) < t.lines.Interval {
		return false
	}
	t.last = time.Now()
	return true
}

func (t *lineTask) Done() { t.log("finished") }

func (t *lineTask) log(message string) {
	t.mu.Lock()
	seconds := time.Since(t.start).Seconds()
	rate := float64(t.done) / max(seconds, 1e-9)
	fields := []any{"stage", t.stage, string(t.unit), t.done, "per_second", int64(math.Round(rate)), "seconds", math.Round(seconds*10) / 10}
	if t.total > 0 {
		fields = append(fields, "total", t.total)
		if rate > 0 && t.done < t.total {
			fields = append(fields, "eta_seconds", int64(math.Round(float64(t.total-t.done)/rate)))
		}
	}
	t.mu.Unlock()
	if asides := t.asides(); asides != "" {
		fields = append(fields, "counts", asides)
	}
	t.lines.Log.Info(message, fields...)
}
