package member

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// calm logs a trouble that repeats itself, such as a broker that is away, once in ten seconds. It is safe for
// concurrent use.
type calm struct {
	log *slog.Logger

	mu   sync.Mutex
	last map[string]time.Time
}

const calmFor = 10 * time.Second

func newCalm(log *slog.Logger) *calm { return &calm{log: log, last: make(map[string]time.Time)} }

func (c *calm) warn(message string, args ...any) {
	c.mu.Lock()
	due := time.Since(c.last[message]) >= calmFor
	if due {
		c.last[message] = time.Now()
	}
	c.mu.Unlock()
	if due {
		c.log.Warn(message, args...)
	}
}

// pause waits and reports whether ctx is still alive.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
