package lineage

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
)

func reachable() bool { return false }

func TestQueueKeepsTheOrder(t *testing.T) {
	q := newQueue("a server", slog.New(slog.DiscardHandler), reachable)
	var got, want []int
	for i := range 100 {
		want = append(want, i)
		q.add(func(context.Context) error { got = append(got, i); return nil })
	}
	if err := q.close(context.Background()); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if err := q.close(context.Background()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func TestFullQueueLosesAndCounts(t *testing.T) {
	log := &safeBuffer{}
	q := newQueue("a server", slog.New(slog.NewTextHandler(log, nil)), reachable)
	started, release := make(chan struct{}), make(chan struct{})
	q.add(func(context.Context) error { close(started); <-release; return nil })
	<-started
	for range queued + 3 {
		q.add(func(context.Context) error { return nil })
	}
	close(release)
	err := q.close(context.Background())
	if err == nil || !strings.Contains(err.Error(), "a server was not told of 3 events") || !errors.Is(err, errFull) {
		t.Error(err)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "too many events wait") {
		t.Errorf("%d lines: %s", n, log)
	}
	q.add(func(context.Context) error { t.Error("a job of a closed queue is done"); return nil })
	if err := q.close(context.Background()); err == nil || !strings.Contains(err.Error(), "4 events") {
		t.Error(err)
	}
}

func TestCloseEndsWhatHangs(t *testing.T) {
	q := newQueue("a server", slog.New(slog.DiscardHandler), reachable)
	started := make(chan struct{})
	q.add(func(ctx context.Context) error { close(started); <-ctx.Done(); return ctx.Err() })
	q.add(func(context.Context) error { t.Error("a job is begun after the time for it"); return nil })
	<-started
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := q.close(ctx); err == nil || !strings.Contains(err.Error(), "2 events") {
		t.Error(err)
	}
}

func TestCloseTriesNothingMoreAtASilentServer(t *testing.T) {
	q := newQueue("a server", slog.New(slog.DiscardHandler), func() bool { return true })
	started, release := make(chan struct{}), make(chan struct{})
	q.add(func(context.Context) error { close(started); <-release; return errors.New("no route") })
	<-started
	q.add(func(context.Context) error { t.Error("a job is begun at a server that does not answer"); return nil })
	result := make(chan error)
	go func() { result <- q.close(context.Background()) }()
	<-q.closing
	close(release)
	if err := <-result; err == nil || !strings.Contains(err.Error(), "2 events of the runs, the first because no route") {
		t.Error(err)
	}
}

func TestQueueBesideOthers(t *testing.T) {
	q := newQueue("a server", slog.New(slog.DiscardHandler), reachable)
	done := 0
	var adding sync.WaitGroup
	for range 8 {
		adding.Go(func() {
			for range 200 {
				q.add(func(context.Context) error { done++; return nil })
			}
		})
	}
	adding.Go(func() { _ = q.close(context.Background()) })
	adding.Wait()
	_ = q.close(context.Background())
	if done+q.lost != 1600 {
		t.Errorf("%d done and %d lost of 1600", done, q.lost)
	}
}
