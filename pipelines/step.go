package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// step runs a step, or finds that it need not. The error is that of the stage.
func (r *run) step(ctx context.Context, s *step, one *StepResult) error {
	began := time.Now()
	event := Event{StepID: uuid.NewString(), Step: s.name, Stage: s.stage, Settings: settingsOf(s.section)}
	fail := func(err error) error {
		err = r.explain(s, err)
		one.Status, one.Error, one.Seconds = Failed, err.Error(), time.Since(began).Seconds()
		return err
	}
	d, err := r.decide(ctx, s)
	if err != nil {
		return fail(err)
	}
	one.Reason, event.Reason = d.why, d.why
	if !d.run {
		one.Status, event.Type = Skipped, StepSkip
		if d.result != nil {
			one.Result = d.result
		}
		r.tell(ctx, event)
		if d.refused != "" {
			one.Status, one.Error = Refused, d.refused
			return fault.New(fault.GateRefused, "%s", d.refused)
		}
		return nil
	}
	one.Status = Running
	if err := r.write(); err != nil {
		return fail(err)
	}
	r.Log.Info("step", "step", s.name, "stage", s.stage, "why", d.why)
	w := world{workspace: r.Workspace, cluster: r.cluster, log: r.Log.With("step", s.name), progress: r.Progress, pipeline: r.plan.name, runID: r.result.RunID}
	rec, err := r.begin(ctx, s, w)
	if err != nil {
		return fail(err)
	}
	event.Type, event.Inputs = StepStart, rec.Inputs
	r.tell(ctx, event)
	resetPeak()
	var result any
	if err = r.room(); err == nil {
		result, err = r.call(ctx, s, w)
	}
	if err != nil && ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	one.Result, one.PeakRSS = result, peakRSS()
	rec.Finished = time.Now()
	rec.Seconds = rec.Finished.Sub(rec.Started).Seconds()
	if text, jsonErr := json.Marshal(result); jsonErr == nil {
		rec.Result = text
	} else {
		err = errors.Join(err, fmt.Errorf("its result: %w", jsonErr))
	}
	refused := fault.KindOf(err) == fault.GateRefused
	outcome := err
	if err == nil || refused {
		err = r.end(ctx, s, rec, one, outcome)
	}
	one.Seconds = time.Since(began).Seconds()
	event.Outputs, event.Result, event.Seconds = rec.Outputs, result, one.Seconds
	switch {
	case err != nil:
		if fault.KindOf(err) == fault.DeadLetters { // the rest was written
			err = errors.Join(err, r.manifest(s, rec))
		}
		err = fail(err)
	case refused:
		err = r.explain(s, outcome)
		one.Status, one.Error = Refused, err.Error()
	default:
		one.Status = Done
	}
	event.Type, event.Err = StepDone, err
	if err != nil {
		event.Type = StepFail
	}
	r.tell(ctx, event)
	return err
}

// begin looks at the inputs and clears the way.
func (r *run) begin(ctx context.Context, s *step, w world) (*record, error) {
	rec := &record{
		Version: recordVersion, Tool: manifest.Tool, Pipeline: r.plan.name, Step: s.name, Stage: s.stage, RunID: r.result.RunID,
		identity: identity{Args: slices.Clone(s.args), Settings: settingsOf(s.section)}, Started: time.Now(),
	}
	for _, in := range s.reads {
		d, err := r.eyes.look(ctx, in)
		if err != nil {
			return nil, err
		}
		if d.Fingerprint == "" && !in.optional {
			return nil, fault.New(fault.Usage, "it reads %s, which does not exist%s", in.name, r.missing(s, in))
		}
		rec.Inputs = append(rec.Inputs, d)
	}
	if r.Force && s.aside != nil {
		return rec, s.aside(w)
	}
	return rec, nil
}

// end records a step that went through, or whose gate refused.
func (r *run) end(ctx context.Context, s *step, rec *record, one *StepResult, outcome error) error {
	rec.PeakRSS, rec.Status = one.PeakRSS, Done
	if outcome != nil {
		rec.Status, rec.Error = Refused, r.explain(s, outcome).Error()
	}
	ctx = context.WithoutCancel(ctx) // the work is done, and is to be known as done
	for _, out := range s.writes {
		d, err := r.eyes.look(ctx, out)
		if err != nil {
			return err
		}
		rec.Outputs = append(rec.Outputs, d)
		rec.DiskBytes += d.Bytes
	}
	one.DiskBytes = rec.DiskBytes
	if err := r.manifest(s, rec); err != nil {
		return err
	}
	return writeJSON(recordPath(r.Workspace, r.plan.name, s.name), rec)
}

// manifest leaves what the command of the stage leaves.
func (r *run) manifest(s *step, rec *record) error {
	if s.schema == "" {
		return nil
	}
	config, err := json.Marshal(rec.Settings)
	if err != nil {
		return err
	}
	return manifest.Manifest{
		Stage: s.section.Name, Schema: s.schema, Config: config, Result: rec.Result, Started: rec.Started, Finished: rec.Finished,
	}.Write(r.Workspace.Manifests())
}

// tell lets the observers know.
func (r *run) tell(ctx context.Context, e Event) {
	e.Time, e.Pipeline, e.RunID = time.Now(), r.plan.name, r.result.RunID
	for _, o := range r.Observers {
		o.Observe(context.WithoutCancel(ctx), e)
	}
}
