package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
)

// Run runs the steps of a pipeline that have something to do. The Result is whole whatever the error is, which is that of
// the step that failed, or of the gate that refused.
func Run(ctx context.Context, c Config) (Result, error) { return start(ctx, c, stages, thisMachine()) }

// run is the state of one run.
type run struct {
	Config
	machine machine
	plan    *plan
	eyes    *eyes
	first   int // of the steps to run
	last    int
	kafka   *cluster.Config // once it was asked for
	result  Result
	started time.Time
	outcome error // of the step that failed or the gate that refused
}

func start(ctx context.Context, c Config, stages catalog, m machine) (Result, error) {
	r, err := prepare(c, stages, m)
	if err != nil {
		return Result{}, err
	}
	if r.DryRun {
		return r.dry(ctx)
	}
	if err := r.room(); err != nil {
		return Result{}, err
	}
	lock, err := r.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = lock.Unlock() }()
	if err := r.inputsThere(ctx); err != nil {
		return Result{}, err
	}
	return r.all(ctx)
}

// prepare finds what is wrong with the call before anything is touched.
func prepare(c Config, stages catalog, m machine) (*run, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Progress = progress.Or(c.Progress)
	r := &run{Config: c, machine: m, started: m.now()}
	r.eyes = &eyes{cluster: r.cluster}
	f, err := loadFile(c.File, c.Workspace, c.Set)
	if err != nil {
		return nil, err
	}
	if r.plan, err = newPlan(f, stages, place{c.Workspace}, c); err != nil {
		return nil, err
	}
	r.last = len(r.plan.steps) - 1
	if c.From != "" {
		if r.first, err = r.plan.find("from", c.From); err != nil {
			return nil, err
		}
	}
	if c.Until != "" {
		if r.last, err = r.plan.find("until", c.Until); err != nil {
			return nil, err
		}
	}
	if r.first > r.last {
		return nil, fault.New(fault.Usage, "--from %s comes after --until %s: the steps run in the order that --dry-run shows", c.From, c.Until)
	}
	r.result = Result{
		Version: resultsVersion, Tool: manifest.Tool, Pipeline: f.name, File: c.File, RunID: uuid.NewString(), Vars: maps.Clone(f.vars), Set: c.Set,
		From: c.From, Until: c.Until, Started: r.started,
	}
	r.result.Warnings, err = inspect(c.Workspace, m.now())
	for _, warning := range r.result.Warnings {
		c.Log.Warn(warning)
	}
	return r, err
}

// cluster asks for the Kafka cluster once.
func (r *run) cluster(ctx context.Context) (cluster.Config, error) {
	if r.kafka != nil {
		return *r.kafka, nil
	}
	if r.Cluster == nil {
		return cluster.Config{}, errors.New("there is no Kafka cluster to work with")
	}
	c, err := r.Cluster(ctx)
	if err == nil {
		r.kafka = &c
	}
	return c, err
}

// inputsThere makes sure that what the steps read is there, or is written by a step that comes before.
func (r *run) inputsThere(ctx context.Context) error {
	for i := r.first; i <= r.last; i++ {
		s := r.plan.steps[i]
		if s.ifExists != "" {
			if d, err := r.eyes.look(ctx, s.ifExistsRef); err != nil || d.Fingerprint == "" {
				continue // it is looked at when its turn comes
			}
		}
		for _, in := range s.reads {
			if in.optional || r.comes(s, in) {
				continue
			}
			d, err := r.eyes.look(ctx, in)
			if err != nil {
				return err
			}
			if d.Fingerprint == "" {
				return fault.New(fault.Usage, "%s reads %s, which does not exist%s", r.plan.at(s.declared), in.name, r.missing(s, in))
			}
		}
	}
	return nil
}

// writers are the steps that write what s reads.
func (p *plan) writers(s *step, in ref) []*step {
	var all []*step
	for _, n := range s.needs {
		if !n.earlier && slices.ContainsFunc(n.on.writes, in.touches) {
			all = append(all, n.on)
		}
	}
	return all
}

// comes reports whether a step of this run writes what s reads before it.
func (r *run) comes(s *step, in ref) bool {
	return slices.ContainsFunc(r.plan.writers(s, in), func(w *step) bool {
		i := slices.Index(r.plan.steps, w)
		return i >= r.first && i <= r.last
	})
}

// missing ends the sentence about an input that is not there.
func (r *run) missing(s *step, in ref) string {
	if writers := r.plan.writers(s, in); len(writers) > 0 {
		if slices.Index(r.plan.steps, writers[0]) < r.first {
			return fmt.Sprintf(": step %s writes it, and --from %s leaves that out", writers[0].name, r.From)
		}
		return fmt.Sprintf(": step %s, which writes it, has not done so", writers[0].name)
	}
	return fmt.Sprintf(" in workspace %s, and no step of the pipeline writes it", r.Workspace)
}

// all takes the steps one after the other.
func (r *run) all(ctx context.Context) (Result, error) {
	r.result.Status = Running
	for i, s := range r.plan.steps {
		one := StepResult{Step: s.name, Stage: s.stage, Status: NotRun}
		switch {
		case i < r.first:
			one.Reason = "it comes before --from " + r.From
		case i > r.last:
			one.Reason = "it comes after --until " + r.Until
		}
		r.result.Steps = append(r.result.Steps, one)
	}
	if err := r.write(); err != nil {
		return r.result, err
	}
	r.tell(ctx, Event{Type: RunStart})
	failed := false
	for i := r.first; i <= r.last; i++ {
		one := &r.result.Steps[i]
		switch {
		case failed:
			one.Reason = fmt.Sprintf("step %s failed", r.failedStep())
			continue
		case ctx.Err() != nil:
			one.Reason = "the run was interrupted"
			if !errors.Is(r.outcome, context.Canceled) {
				r.outcome = fmt.Errorf("interrupted before step %s: %w", r.plan.steps[i].name, ctx.Err())
			}
			continue
		}
		err := r.step(ctx, r.plan.steps[i], one)
		if err != nil && (r.outcome == nil || one.Status == Failed) {
			r.outcome = err
		}
		failed = one.Status == Failed
		if err := r.write(); err != nil && r.outcome == nil {
			r.outcome, failed = err, true
		}
	}
	return r.finish(ctx)
}

func (r *run) failedStep() string {
	for _, s := range r.result.Steps {
		if s.Status == Failed {
			return s.Step
		}
	}
	return ""
}

// finish closes the result.
func (r *run) finish(ctx context.Context) (Result, error) {
	r.result.Status, r.result.Seconds = Done, r.machine.now().Sub(r.started).Seconds()
	end := Event{Type: RunDone, Seconds: r.result.Seconds}
	if r.outcome != nil {
		end.Type, end.Err = RunFail, r.outcome
		r.result.Error, r.result.Status = r.outcome.Error(), Failed
		if fault.KindOf(r.outcome) == fault.GateRefused {
			r.result.Status = Refused
		}
	}
	err := r.write()
	r.tell(ctx, end)
	if r.outcome != nil {
		return r.result, r.outcome
	}
	return r.result, err
}

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
