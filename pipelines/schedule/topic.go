package schedule

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// topic looks at the patents that wait, and tells when they are enough. The methods that a scheduler without WhenNew
// calls too do nothing on nil.
type topic struct {
	count func(context.Context) (backlog, error)
	log   *slog.Logger
	least int64
	every time.Duration

	timer    *time.Timer
	looks    chan look
	looking  sync.WaitGroup
	busy     bool // a look goes on, or waits to be weighed
	era      int  // runs that have ended
	trying   int64
	patience patience
	trouble  string // the error of the latest look
}

// look is what one look at the topic has seen.
type look struct {
	backlog
	err error
	era int // before it began
}

func newTopic(c Config, count func(context.Context) (backlog, error)) *topic {
	return &topic{
		count: count, log: c.log(), least: c.WhenNew, every: c.Poll,
		timer: time.NewTimer(0), looks: make(chan look, 1), patience: patience{first: c.Poll},
	}
}

// due is ready when it is time to look.
func (t *topic) due() <-chan time.Time {
	if t == nil {
		return nil
	}
	return t.timer.C
}

// seen is ready when a look has ended.
func (t *topic) seen() <-chan look {
	if t == nil {
		return nil
	}
	return t.looks
}

// look begins a look, unless one goes on: it makes the next one due when it is weighed.
func (t *topic) look(ctx context.Context) {
	if t.busy {
		return
	}
	t.busy = true
	era := t.era
	t.looking.Go(func() {
		b, err := t.count(ctx)
		t.looks <- look{b, err, era}
	})
}

// weigh reports whether the patents are enough for a run. The error is the look's.
func (t *topic) weigh(seen look) (bool, error) {
	t.busy = false
	t.timer.Reset(t.every)
	if t.say(seen.err); seen.err != nil {
		return false, seen.err
	}
	if seen.era != t.era {
		t.timer.Reset(0) // it may have counted what a run has taken since
		return false, nil
	}
	return seen.waiting >= t.least && t.patience.over(time.Now(), seen.taken), nil
}

// say logs trouble once, and its end.
func (t *topic) say(err error) {
	switch {
	case err == nil && t.trouble != "":
		t.trouble = ""
		t.log.Info("the topic can be looked at again")
	case err != nil && err.Error() != t.trouble:
		t.trouble = err.Error()
		t.log.Warn("cannot look at the topic, trying again", "again_in", t.every, "error", err)
	}
}

// tried notes that the run for a fire has ended, or could not begin.
func (t *topic) tried(f fire) {
	if t != nil && f.Trigger == New {
		t.patience.tried(time.Now(), t.trying)
	}
}

// hurry makes a look due now, for a run has ended.
func (t *topic) hurry() {
	if t != nil {
		t.era++
		t.timer.Reset(0)
	}
}

// wait returns when no look goes on.
func (t *topic) wait() {
	if t != nil {
		t.looking.Wait()
	}
}
