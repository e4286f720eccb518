package pipelines

import (
	"context"
	"errors"
	"testing"
)

// TestFollow lets a publisher go on only because somebody consumes meanwhile, as with a full spool.
func TestFollow(t *testing.T) {
	b := newBench(t,
		`step: publish, stage: publish, with: {name: publish, writes: pools/topic}`,
		`step: consume, stage: consume, with: {name: consume, reads: pools/topic, writes: patents}`,
	)
	b.machine.followAfter = 0
	consumed, stopped := make(chan struct{}), false
	b.do["publish"] = func(ctx context.Context) error {
		select {
		case <-consumed:
			return nil
		case <-ctx.Done():
			return errors.New("nobody consumes")
		}
	}
	plain := b.catalog()["make"]
	c := catalog{
		"publish": func(p place) *binding { made := plain(p); made.topic = "x"; return made },
		"consume": func(p place) *binding {
			made := plain(p)
			made.topic = "x"
			made.follow = func(ctx context.Context, _ world) error {
				close(consumed)
				<-ctx.Done()
				stopped = true
				return nil
			}
			return made
		},
	}
	if r, err := start(t.Context(), b.config, c, b.machine); err != nil || !stopped || len(b.ran) != 2 {
		t.Errorf("ran %v, the consumer stopped: %v; %v\n%s", b.ran, stopped, err, story(r))
	}
}
