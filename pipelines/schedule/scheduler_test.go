package schedule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
)

// rig is a scheduler on a clock of its own, which begins on Saturday 2000-01-01 00:00 UTC and goes as fast as nothing
// happens.
type rig struct {
	Config
	t      *testing.T
	cancel context.CancelFunc
	ended  chan error
	result Result

	mu      sync.Mutex
	shift   time.Duration // of the clock on the wall
	starts  []string      // of the runs that were not held
	holding bool          // another process has the workspace
	takes   time.Duration // how long a run takes
	err     error         // of the runs
	backlog backlog
	lost    error // of the looks at the topic
	leaves  bool  // a run takes no patents
}

func newRig(t *testing.T, set func(*Config)) *rig {
	r := &rig{Config: Default(), t: t, takes: time.Minute}
	r.Workspace, r.Pipeline, r.TimeZone, r.Job = workspace.Dir(t.TempDir()), "weekly", "UTC", r.run
	set(&r.Config)
	return r
}

func (r *rig) run(ctx context.Context) (pipelines.Result, error) {
	r.mu.Lock()
	if r.holding {
		r.mu.Unlock()
		return pipelines.Result{}, fmt.Errorf("process 7: %w", pipelines.ErrHeld)
	}
	r.starts = append(r.starts, time.Now().Add(r.shift).Format("01-02 15:04"))
	takes, err := r.takes, r.err
	r.mu.Unlock()
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return pipelines.Result{}, fmt.Errorf("train: %w", ctx.Err())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.leaves {
		r.backlog = backlog{taken: r.backlog.taken + r.backlog.waiting}
	}
	return pipelines.Result{RunID: "r", Steps: []pipelines.StepResult{{Step: "train", Status: pipelines.Failed}}}, err
}

func (r *rig) start() {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.ended = cancel, make(chan error, 1)
	go func() {
		var err error
		r.result, err = run(ctx, r.Config, world{clock: r.now, count: r.count})
		r.ended <- err
	}()
}

func (r *rig) stop() error {
	r.cancel()
	return <-r.ended
}

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Add(r.shift)
}

func (r *rig) count(context.Context) (backlog, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.backlog, r.lost
}

// then changes something when some time has passed.
func (r *rig) then(after time.Duration, change func()) {
	time.Sleep(after)
	r.mu.Lock()
	change()
	r.mu.Unlock()
}

// ran checks the runs since it was last called.
func (r *rig) ran(want ...string) {
	r.t.Helper()
	if got := r.runs(); !slices.Equal(got, want) {
		r.t.Errorf("runs at %q, want %q", got, want)
	}
}

// runs returns the runs since it was last called.
func (r *rig) runs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	starts := r.starts
	r.starts = nil
	return starts
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

func TestWeeklyWhateverTheRunsDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron, c.TimeZone = "0 6 * * 1", "Europe/Vienna" })
		r.start()
		r.then(week, func() { r.err = errors.New("disk full") })
		r.then(week, func() { r.err = fault.New(fault.GateRefused, "worse than the current model") })
		r.then(week, func() { r.err = nil })
		r.then(week, func() {})
		if err := r.stop(); err != nil {
			t.Errorf("a stop between two runs: %v", err)
		}
		r.ran("01-03 05:00", "01-10 05:00", "01-17 05:00", "01-24 05:00")
		if n := r.result.Runs; n[Done] != 2 || n[Failed] != 1 || n[Refused] != 1 || len(r.result.Skipped) != 0 {
			t.Errorf("runs %v, fires left out %v", n, r.result.Skipped)
		}
	})
}

func TestOverlap(t *testing.T) {
	for policy, want := range map[string][]string{
		Skip:  {"01-01 01:00", "01-01 03:00", "01-01 05:00"},
		Queue: {"01-01 01:00", "01-01 02:30", "01-01 04:00", "01-01 05:30"},
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Cron, c.Overlap = "0 1-5 * * *", policy })
				r.takes = 90 * time.Minute
				r.start()
				time.Sleep(12 * time.Hour)
				if err := r.stop(); err != nil {
					t.Error(err)
				}
				r.ran(want...)
				if n := r.result.Skipped[Overlapped]; int(n) != 5-len(want) {
					t.Errorf("%d fires left out of 5, %d runs", n, len(want))
				}
			})
		})
	}
}

func TestHeldByAnotherProcess(t *testing.T) {
	for policy, want := range map[string][]string{
		Skip:  {"01-02 01:00"},
		Queue: {"01-01 01:11", "01-02 01:00"},
	} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Cron, c.Overlap = "0 1 * * *", policy })
				r.holding = true
				r.start()
				r.then(time.Hour+10*time.Minute+time.Second, func() { r.holding = false })
				time.Sleep(day)
				if err := r.stop(); err != nil {
					t.Error(err)
				}
				r.ran(want...)
				if n := r.result.Skipped[Held]; int(n) != 2-len(want) {
					t.Errorf("%d fires left out because of the lock", n)
				}
			})
		})
	}
}

func TestMissedWhileDown(t *testing.T) {
	for policy, want := range map[string][]string{RunOnce: {"01-26 00:00", "01-31 06:00"}, Skip: {"01-31 06:00"}} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Cron, c.Missed = "0 6 * * 1", policy })
				r.start()
				time.Sleep(4 * day)
				if err := r.stop(); err != nil {
					t.Fatal(err)
				}
				r.ran("01-03 06:00")
				time.Sleep(3 * week)
				r.start()
				time.Sleep(week)
				if err := r.stop(); err != nil {
					t.Fatal(err)
				}
				r.ran(want...)
			})
		})
	}
}

func TestNothingIsMissedBeforeTheFirstStartOrUnderAnotherLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron = "0 6 * * *" })
		r.start()
		time.Sleep(time.Hour)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(week)
		r.Cron = "0 7 * * *"
		r.start()
		time.Sleep(day)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		r.ran("01-08 07:00")
	})
}

func TestCutOffRunIsMissed(t *testing.T) {
	for policy, want := range map[string][]string{RunOnce: {"01-08 06:00"}, Skip: nil} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Cron, c.Missed = "0 6 1 * *", policy })
				r.takes = 10 * time.Hour
				r.start()
				time.Sleep(12 * time.Hour)
				if err := r.stop(); !errors.Is(err, context.Canceled) {
					t.Fatalf("a stop in the middle of a run: %v", err)
				}
				r.ran("01-01 06:00")
				time.Sleep(week - 6*time.Hour)
				r.start()
				time.Sleep(day)
				if err := r.stop(); err != nil {
					t.Fatal(err)
				}
				r.ran(want...)
			})
		})
	}
}

func TestClockThatJumps(t *testing.T) {
	for _, policy := range []string{RunOnce, Skip} {
		t.Run(policy, func(t *testing.T) { testClockThatJumps(t, policy) })
	}
}

func testClockThatJumps(t *testing.T, policy string) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron, c.Missed = "* * * * *", policy })
		r.takes = time.Second
		r.start()
		time.Sleep(10*time.Minute + 30*time.Second)
		if n := len(r.runs()); n != 10 {
			t.Errorf("%d runs in ten minutes", n)
		}
		jump := func(what string, by time.Duration, least, most int) {
			t.Helper()
			r.then(0, func() { r.shift += by })
			time.Sleep(10 * time.Minute)
			if starts := r.runs(); len(starts) < least || len(starts) > most {
				t.Errorf("%s: runs at %q in ten minutes, want %d to %d", what, starts, least, most)
			}
		}
		jump("a year ahead", 365*day, 10, 11)
		jump("five minutes back", -5*time.Minute, 4, 6)
		jump("a year back", -365*day, 10, 11)
		jump("thirty years back", -30*365*day, 10, 11)
		jump("and ahead again", 30*365*day, 10, 11)
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestClockOfABootedMachine is set right some time after the start.
func TestClockOfABootedMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron = "0 6 * * *" })
		r.start()
		time.Sleep(day)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		r.ran("01-01 06:00")
		r.shift = -30 * 365 * day
		r.start()
		r.then(time.Hour, func() { r.shift = 0 })
		time.Sleep(day)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		r.ran("01-02 06:00")
	})
}

func TestWhenNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.WhenNew = 100 })
		r.backlog.waiting = 99
		r.start()
		r.then(time.Hour+30*time.Second, func() { r.backlog.waiting++ })
		r.then(time.Hour, func() { r.backlog.waiting, r.takes = 100, 10*time.Minute })
		r.then(5*time.Minute, func() { r.backlog.waiting += 100 })
		r.then(time.Hour, func() { r.lost = errors.New("no broker") })
		r.then(time.Hour, func() { r.lost, r.backlog.waiting = nil, 500 })
		time.Sleep(time.Hour)
		if err := r.stop(); err != nil {
			t.Error(err)
		}
		r.ran("01-01 01:01", "01-01 02:01", "01-01 04:06")
	})
}

// TestWhenNewAndNothingIsTaken expects pauses of 1, 2, 4 ... minutes up to an hour, and none when patents were taken.
func TestWhenNewAndNothingIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.WhenNew = 100 })
		r.backlog.waiting, r.leaves, r.err = 100, true, errors.New("no memory")
		r.start()
		time.Sleep(week)
		starts := r.runs()
		if n := len(starts); n < 7*24-10 || n > 7*24+10 {
			t.Errorf("%d runs of a minute in a week", n)
		}
		if got, want := starts[:4], []string{"01-01 00:00", "01-01 00:02", "01-01 00:05", "01-01 00:10"}; !slices.Equal(got, want) {
			t.Errorf("the first runs at %q, want %q", got, want)
		}
		r.then(0, func() { r.leaves, r.err = false, nil })
		time.Sleep(2 * time.Hour)
		r.then(0, func() { r.backlog.waiting = 100 })
		time.Sleep(5 * time.Minute)
		if starts := r.runs(); len(starts) != 2 {
			t.Errorf("runs at %q after the trouble has ended, want 2", starts)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestWhenNewWhileHeld(t *testing.T) {
	for policy, want := range map[string]string{Skip: "01-01 01:03", Queue: "01-01 00:50"} {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.WhenNew, c.Overlap = 100, policy })
				r.backlog.waiting, r.holding = 100, true
				r.start()
				r.then(49*time.Minute+30*time.Second, func() { r.holding = false })
				time.Sleep(time.Hour)
				if err := r.stop(); err != nil {
					t.Error(err)
				}
				r.ran(want)
			})
		})
	}
}

func TestCronAndWhenNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron, c.WhenNew = "0 6 * * *", 100 })
		r.start()
		r.then(2*time.Hour-30*time.Second, func() { r.backlog.waiting = 100 })
		time.Sleep(day)
		if err := r.stop(); err != nil {
			t.Error(err)
		}
		r.ran("01-01 02:00", "01-01 06:00")
	})
}

func TestOneSchedulerForAPipeline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron = "0 6 * * *" })
		r.start()
		synctest.Wait()
		_, err := Run(context.Background(), r.Config)
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
			t.Errorf("a second scheduler: %v", err)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}
