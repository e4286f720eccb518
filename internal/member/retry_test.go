package member

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
)

func quick(log *slog.Logger) *Member {
	return &Member{config: Config{Log: log, Pace: Pace{Backoff: time.Millisecond}}, calm: newCalm(log)}
}

func TestRetryGoesOnUntilItSucceeds(t *testing.T) {
	var log bytes.Buffer
	calls := 0
	err := quick(slog.New(slog.NewTextHandler(&log, nil))).Retry(t.Context(), "write letters", func(context.Context) error {
		if calls++; calls < 5 {
			return errors.New("no broker")
		}
		return nil
	})
	if err != nil || calls != 5 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	if got := strings.Count(log.String(), "cannot write letters, trying again"); got != 1 {
		t.Errorf("logged %d times, want once in ten seconds:\n%s", got, log.String())
	}
}

func TestRetryStopsWhereWaitingDoesNotHelp(t *testing.T) {
	m := quick(slog.New(slog.DiscardHandler))
	calls := 0
	err := m.Retry(t.Context(), "read", func(context.Context) error { calls++; return kafka.TopicAuthorizationFailed })
	if calls != 1 || !errors.Is(err, kafka.TopicAuthorizationFailed) {
		t.Errorf("%d calls, error %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	away := errors.New("no broker")
	err = m.Retry(ctx, "read", func(context.Context) error { cancel(); return away })
	if !errors.Is(err, context.Canceled) || !errors.Is(err, away) {
		t.Errorf("error %v, want one that says why it was tried and why no more", err)
	}
}
