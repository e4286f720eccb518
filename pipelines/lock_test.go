package pipelines

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// TestHeld refuses a second run and names the first, or waits for it.
func TestHeld(t *testing.T) {
	b := newBench(t, chain...)
	began, end := make(chan struct{}), make(chan struct{})
	b.do["b"] = func(context.Context) error { close(began); <-end; return nil }
	ended := make(chan error)
	go func() {
		_, err := start(context.Background(), b.config, b.catalog(), b.machine)
		ended <- err
	}()
	<-began

	other := newBench(t, chain...)
	other.config.Workspace = b.config.Workspace
	err := other.failure("process", "runs pipeline test since", "--wait")
	if !errors.Is(err, ErrHeld) {
		t.Errorf("%v is not ErrHeld", err)
	}
	if len(other.ran)+len(other.events) > 0 {
		t.Errorf("the second run ran %v", other.ran)
	}
	s, err := Status(t.Context(), b.config.Workspace)
	if err != nil || !strings.Contains(s.Held, "runs pipeline test") || s.Last == nil || s.Last.Status != Running || s.Last.Step != "b" {
		t.Errorf("status says %+v, %v", s, err)
	}
	retry := other.config
	if _, err := again(t.Context(), retry, other.catalog(), other.machine); !errors.Is(err, ErrHeld) {
		t.Errorf("retry beside a run: %v", err)
	}
	other.config.DryRun = true
	if r, _, err := other.run(); err != nil || len(r.Warnings) != 1 {
		t.Errorf("a dry run beside it: %v, warnings %q", err, r.Warnings)
	}
	other.config.DryRun, other.config.Wait = false, time.Minute

	waited := make(chan error)
	go func() {
		_, err := start(context.Background(), other.config, other.catalog(), other.machine)
		waited <- err
	}()
	close(end)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := <-waited; err != nil || len(other.ran) > 0 { // the first run has done it all
		t.Errorf("the run that waited ran %v: %v", other.ran, err)
	}
}

// TestWaitEnds gives up when the caller does.
func TestWaitEnds(t *testing.T) {
	b := newBench(t, chain...)
	r, err := prepare(b.config, b.catalog(), b.machine)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := r.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r.Wait = time.Hour
	if _, err := r.lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("lock says %v", err)
	}
	if holds("no/such/workspace") {
		t.Error("a workspace that is not there is held")
	}
	if _, err := os.Stat("no"); err == nil {
		t.Error("the question made a folder")
	}
}
