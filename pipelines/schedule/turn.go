package schedule

import (
	"context"
	"errors"
	"time"

	"dssdnet/pipelines"
)

// fire is a reason to run the pipeline.
type fire struct {
	Trigger Trigger   `json:"trigger"`
	At      time.Time `json:"at"` // when it was due
}

// ending is what a run leaves.
type ending struct {
	result  pipelines.Result
	err     error
	outcome Outcome
}

// offer makes a fire wait for its turn if the overlap policy lets it.
func (s *scheduler) offer(f fire) {
	switch {
	case s.queued != nil:
		s.log.Info("fire left out: a run waits already", "due", f.At)
		s.skip(Overlapped)
	case s.running != nil && s.config.Overlap == Skip:
		s.log.Warn("fire left out: a run goes on", "due", f.At, "running_since", s.begun)
		s.skip(Overlapped)
	default:
		if s.running != nil {
			s.log.Info("fire queued: a run goes on", "due", f.At, "running_since", s.begun)
		}
		s.enqueue(f)
	}
}

func (s *scheduler) enqueue(f fire) {
	s.queued, s.notUntil = &f, time.Time{}
	s.gauges.queued.Set(1)
	s.state.Unfinished = &f
	s.save()
}

func (s *scheduler) skip(r Reason) {
	s.gauges.skipped.WithLabelValues(string(r)).Inc()
	s.result.Skipped[r]++
}

// begin starts the run that waits, if nothing is in its way.
func (s *scheduler) begin(ctx context.Context) {
	if s.queued == nil || s.running != nil || time.Now().Before(s.notUntil) || ctx.Err() != nil {
		return
	}
	s.running, s.queued, s.begun = s.queued, nil, s.clock()
	s.gauges.queued.Set(0)
	s.gauges.running.Set(1)
	s.gauges.runStarted.Set(unix(s.begun))
	go func() {
		result, err := s.config.Job(ctx)
		s.ended <- ending{result, err, outcomeOf(ctx, err)}
	}()
}

// stop waits for the run that goes on, which has seen ctx end.
func (s *scheduler) stop(ctx context.Context) error {
	s.topic.wait()
	if s.running == nil {
		return nil
	}
	s.log.Info("stopping: the run finishes the unit in hand")
	return s.finish(ctx, <-s.ended)
}

// finish takes a run's end into account. The error is that of ctx when ctx's end cut the run off.
func (s *scheduler) finish(ctx context.Context, e ending) error {
	f := *s.running
	s.running = nil
	s.gauges.running.Set(0)
	if errors.Is(e.err, pipelines.ErrHeld) {
		s.held(f, e.err)
		return nil
	}
	s.note(f, e)
	s.topic.tried(f)
	if e.outcome != Interrupted {
		s.state.Unfinished = s.queued
	}
	s.topic.hurry()
	s.save()
	if e.outcome == Interrupted {
		return ctx.Err()
	}
	return nil
}

// held deals with a run that did not begin because another process has the workspace.
func (s *scheduler) held(f fire, err error) {
	switch {
	case s.config.Overlap == Skip:
		s.log.Warn("fire left out", "due", f.At, "reason", err)
		s.skip(Held)
		s.topic.tried(f)
		s.state.Unfinished = s.queued
		s.save()
	case s.queued == nil:
		s.log.Info("fire queued", "due", f.At, "reason", err, "again_in", s.config.Poll)
		s.enqueue(f)
		fallthrough
	default:
		s.notUntil = time.Now().Add(s.config.Poll)
	}
}

func (s *scheduler) save() {
	// Fires go on when the disk is full: what is lost is only what a restart would know.
	if err := s.state.write(s.path); err != nil {
		s.log.Error("a restart may repeat or miss a fire", "error", err)
	}
}
