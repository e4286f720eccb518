package pipelines

import (
	"context"
	"slices"
	"time"
)

// call runs the stage of a step. A publisher that takes long gets the consumer of its topic beside it, where the pipeline
// has one: the embedded broker keeps only so many documents that nobody has consumed.
func (r *run) call(ctx context.Context, s *step, w world) (any, error) {
	consumer := r.consumerOf(s)
	if consumer == nil {
		return s.run(ctx, w)
	}
	following, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-following.Done():
			return
		case <-time.After(r.machine.followAfter):
		}
		beside := w
		beside.log = r.Log.With("step", consumer.name, "beside", s.name)
		beside.log.Info("consuming while the publisher goes on")
		if err := consumer.follow(following, beside); err != nil && following.Err() == nil {
			beside.log.Warn("the consumer beside the publisher ended; the step itself is still to come", "error", err)
		}
	}()
	result, err := s.run(ctx, w)
	stop()
	<-ended
	return result, err
}

// consumerOf is the step of this run that consumes what s publishes.
func (r *run) consumerOf(s *step) *step {
	if s.topic == "" || s.follow != nil {
		return nil
	}
	steps := r.plan.steps[r.first : r.last+1]
	i := slices.IndexFunc(steps, func(other *step) bool { return other.follow != nil && other.topic == s.topic })
	if i < 0 {
		return nil
	}
	return steps[i]
}
