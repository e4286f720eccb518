package member

import (
	"context"
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Warn logs a trouble that repeats itself: each message at most once in ten seconds.
func (m *Member) Warn(message string, args ...any) { m.calm.warn(message, args...) }

// Retry calls do until it succeeds, and returns the error of its last call when ctx ends or when waiting would not help.
// The error of an ended ctx is in the chain then. doing completes "cannot ..." in the log: "write dead letters".
func (m *Member) Retry(ctx context.Context, doing string, do func(context.Context) error) error {
	for {
		err := do(ctx)
		if err == nil || hopeless(err) {
			return err
		}
		if ctx.Err() == nil {
			m.Warn("cannot "+doing+", trying again", "error", err)
		}
		if !pause(ctx, m.config.Pace.Backoff) {
			if errors.Is(err, ctx.Err()) {
				return err
			}
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// hopeless reports whether an error of Kafka stays until somebody changes a setting.
func hopeless(err error) bool {
	for _, e := range []error{kafka.TopicAuthorizationFailed, kafka.GroupAuthorizationFailed, kafka.ClusterAuthorizationFailed,
		kafka.SASLAuthenticationFailed, kafka.UnsupportedSASLMechanism, kafka.InvalidSessionTimeout} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
