package publish

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 2 * time.Second
	// sayAfter is how long the log keeps silent about a wait, and sayEvery how often it repeats itself.
	sayAfter = time.Second
	sayEvery = 30 * time.Second
)

// patience waits between attempts and says so, once for all that wait at the same time. It ends when nothing has
// succeeded for the limit.
type patience struct {
	log   *slog.Logger
	limit time.Duration // 0 is none

	mu    sync.Mutex
	since time.Time // of the oldest wait, zero when nobody waits
	said  time.Time // the last line about it, zero when there was none
}

// pause waits before the next attempt. The error is that of ctx, or says that the wait has been too long.
func (p *patience) pause(ctx context.Context, attempt int, why error) error {
	if waited := p.say(why); p.limit > 0 && waited > p.limit {
		return fmt.Errorf("gave up after %s (--max-wait) in which no record was taken: %w; documents before that are published, "+
			"and publishing again adds nothing twice", p.limit, explain(why))
	}
	d := min(firstPause<<min(attempt, 10), lastPause)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// say logs a wait now and then, and returns how long it has been.
func (p *patience) say(why error) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.since.IsZero() {
		p.since = now
	}
	waited := now.Sub(p.since)
	if waited >= sayAfter && (p.said.IsZero() || now.Sub(p.said) >= sayEvery) {
		p.said = now
		p.log.Warn("publishing waits", "waited", waited.Round(time.Second), "reason", explain(why))
	}
	return waited
}

var errSpoolFull = errors.New("the spool is full of documents that nobody has consumed; run: dssdnet ingest consume")

// explain names the one reason that the user can do something about.
func explain(why error) error {
	if errors.Is(why, kafka.ThrottlingQuotaExceeded) {
		return errSpoolFull
	}
	return fmt.Errorf("the brokers take no records: %w", why)
}

// over is called when an attempt has succeeded.
func (p *patience) over() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.said.IsZero() {
		p.log.Info("publishing goes on", "waited", time.Since(p.since).Round(time.Second))
	}
	p.since, p.said = time.Time{}, time.Time{}
}
