package lineage

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"dssdnet/pipelines"
)

const (
	runUUID  = "01938d3c-0000-7000-8000-000000000001"
	stepUUID = "01938d3c-0000-7000-8000-000000000002"
)

var noon = time.Date(2010, 9, 1, 12, 0, 0, 0, time.UTC)

// observers are those of an environment, for a workspace of their own.
type observers struct {
	all  []pipelines.Observer
	done func(context.Context) error
	dir  string
	log  *safeBuffer
}

// fastPace asks as often as usual, but soon.
func fastPace() pace {
	return pace{attempts: 4, wait: time.Millisecond, maxWait: 5 * time.Millisecond, timeout: 10 * time.Second, upload: 10 * time.Second}
}

func newObservers(t *testing.T, c Config, env map[string]string) observers {
	t.Helper()
	o := observers{dir: string(c.Workspace), log: &safeBuffer{}}
	c.Log = slog.New(slog.NewTextHandler(o.log, nil))
	var err error
	o.all, o.done, err = FromEnv(c, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	o.setPace(fastPace())
	t.Cleanup(func() { _ = o.done(context.Background()) })
	return o
}

// setPace is to be called before the first event.
func (o observers) setPace(p pace) {
	for _, one := range o.all {
		switch one := one.(type) {
		case *openLineage:
			one.server.pace = p
		case *mlflow:
			one.server.pace = p
		}
	}
}

func (o observers) observe(events ...pipelines.Event) {
	for i, e := range events {
		e.Pipeline, e.RunID = "retrain", runUUID
		e.Time = noon.Add(time.Duration(i) * time.Second)
		if e.Step != "" && e.StepID == "" {
			e.StepID = stepUUID
		}
		for _, one := range o.all {
			one.Observe(context.Background(), e)
		}
	}
}

// end closes the observers, which must have lost nothing.
func (o observers) end(t *testing.T) {
	t.Helper()
	if err := o.done(context.Background()); err != nil {
		t.Error(err)
	}
	if text := o.log.String(); text != "" {
		t.Errorf("logged: %s", text)
	}
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
