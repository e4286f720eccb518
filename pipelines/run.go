package pipelines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
	another := holds(r.Workspace) // run may be about to make what is missing
	if !another {
		if err := r.inputsThere(ctx); err != nil {
			return Result{}, err
		}
	}
	lock, err := r.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = lock.Unlock() }()
	if another {
		if err := r.inputsThere(ctx); err != nil {
			return Result{}, err
		}
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
