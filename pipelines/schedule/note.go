package schedule

import (
	"context"
	"log/slog"

	"dssdnet/pipelines"
)

// note records how a run has ended: for the restart, the metrics, the log and the result.
func (s *scheduler) note(f fire, e ending) {
	now := s.clock()
	last := &LastRun{
		RunID: e.result.RunID, Trigger: f.Trigger, Outcome: e.outcome, Step: stopped(e.result),
		Started: s.begun, Ended: now, Seconds: max(0, now.Sub(s.begun).Seconds()),
	}
	if e.err != nil {
		last.Error = e.err.Error()
	}
	s.state.LastRun = last
	if e.outcome == Done {
		s.state.LastSuccess = now
	}
	s.gauges.last(s.state)
	s.gauges.runs.WithLabelValues(string(e.outcome)).Inc()
	s.result.Runs[e.outcome]++
	s.logRun(last)
}

func (s *scheduler) logRun(last *LastRun) {
	level := slog.LevelError
	switch last.Outcome {
	case Done, Interrupted:
		level = slog.LevelInfo
	case Refused, DeadLetters:
		level = slog.LevelWarn
	}
	attrs := []any{"trigger", last.Trigger, "outcome", last.Outcome, "run", last.RunID, "seconds", last.Seconds}
	if last.Error != "" {
		attrs = append(attrs, "step", last.Step, "error", last.Error)
	}
	s.log.Log(context.Background(), level, "run ended", attrs...)
}

// stopped names the step that failed or refused, if there is one.
func stopped(r pipelines.Result) string {
	for _, step := range r.Steps {
		if step.Status == pipelines.Failed || step.Status == pipelines.Refused {
			return step.Step
		}
	}
	return ""
}
