package publish

import (
	"context"
	"errors"
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

// patience waits between attempts and says so, once for all that wait at the same time.
type patience struct {
	log *slog.Logger

	mu    sync.Mutex
	since time.Time // of the oldest wait, zero when nobody waits
	said  time.Time // the last line about it, zero when there was none
}

// pause waits before the next attempt. The error is that of ctx.
func (p *patience) pause(ctx context.Context, attempt int, why error) error {
	p.say(why)
	d := min(firstPause<<min(attempt, 10), lastPause)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (p *patience) say(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.since.IsZero() {
		p.since = now
	}
	if now.Sub(p.since) < sayAfter || !p.said.IsZero() && now.Sub(p.said) < sayEvery {
		return
	}
	p.said = now
	waited := now.Sub(p.since).Round(time.Second)
	if errors.Is(why, kafka.ThrottlingQuotaExceeded) {
		p.log.Warn("publishing waits: the spool is full of documents that nobody has consumed; run: dssdnet ingest consume", "waited", waited)
		return
	}
	p.log.Warn("publishing waits: the brokers take no records; trying again", "waited", waited, "reason", why)
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
