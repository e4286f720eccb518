package lineage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"dssdnet/internal/manifest"
	"dssdnet/pipelines"
)

// mlflow keeps a run in MLflow for a pipeline's run that trains, re-ranks or evaluates, and below it one for each of
// these steps.
type mlflow struct {
	tracking
	queue      *queue
	places     places
	log        *slog.Logger
	experiment string // name

	mu   sync.Mutex
	runs map[string]*pipelineRun // under way, by their RunID

	// Only the queue's goroutine uses these.
	experimentID string
	foreign      bool // errForeign has been told
}

// pipelineRun is a run under way.
type pipelineRun struct {
	run   *trackedRun
	steps map[string]*trackedRun // by their StepID
}

// trackedRun is a run that MLflow has, or will have. The queue's goroutine alone uses id and artifacts.
type trackedRun struct {
	request newRun
	params  []keyValue
	parent  *trackedRun

	id        string // "" while there is none
	artifacts string // where MLflow wants its files
}

func newMLflow(c Config, s *server, experiment string) (*mlflow, error) {
	places, err := newPlaces(c)
	if err != nil {
		return nil, err
	}
	return &mlflow{tracking: tracking{s}, places: places, log: c.Log, experiment: experiment, runs: map[string]*pipelineRun{}}, nil
}

// tracks reports whether a stage's steps have a run of their own.
func tracks(stage string) bool {
	word, _, _ := strings.Cut(stage, " ")
	return word == "train" || word == "rerank" || word == "eval"
}

// Observe implements [pipelines.Observer].
func (m *mlflow) Observe(_ context.Context, e pipelines.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Type == pipelines.RunStart {
		m.runs[e.RunID] = &pipelineRun{run: m.pipeline(e), steps: map[string]*trackedRun{}}
		return
	}
	run, ok := m.runs[e.RunID]
	if !ok {
		return
	}
	switch e.Type {
	case pipelines.StepStart:
		if tracks(e.Stage) {
			step := m.step(e, run.run)
			run.steps[e.StepID] = step
			m.queue.add(func(ctx context.Context) error { return m.ensure(ctx, step) })
		}
	case pipelines.StepDone, pipelines.StepFail:
		if step, ok := run.steps[e.StepID]; ok {
			delete(run.steps, e.StepID)
			figures := numbers(e.Result, e.Time.UnixMilli())
			m.queue.add(func(ctx context.Context) error { return m.endStep(ctx, step, e, figures) })
		}
	case pipelines.RunDone, pipelines.RunFail:
		delete(m.runs, e.RunID)
		m.queue.add(func(ctx context.Context) error { return m.end(ctx, run.run, e) })
	}
}

// pipeline is the run of a pipeline's run.
func (m *mlflow) pipeline(e pipelines.Event) *trackedRun {
	name := e.Pipeline + " " + e.Time.UTC().Format("2006-01-02 15:04")
	return &trackedRun{params: params(e.Settings), request: newRun{
		Name: name, Start: e.Time.UnixMilli(), Tags: append(source(name, e), tag("dssdnet.run_id", e.RunID)),
	}}
}

// step is the run of a step, below that of its pipeline's run.
func (m *mlflow) step(e pipelines.Event, parent *trackedRun) *trackedRun {
	return &trackedRun{parent: parent, params: params(e.Settings), request: newRun{
		Name: e.Step, Start: e.Time.UnixMilli(), Tags: append(source(e.Step, e), tag("dssdnet.stage", e.Stage)),
	}}
}

func source(name string, e pipelines.Event) []keyValue {
	return []keyValue{
		tag("mlflow.runName", name), tag("mlflow.source.name", "dssdnet run "+e.Pipeline), tag("mlflow.source.type", "JOB"),
		tag("dssdnet.version", manifest.Tool),
	}
}

// ensure makes a run with its settings, its parent first, unless there is one. A server that was down when the run
// began gets it later so.
func (m *mlflow) ensure(ctx context.Context, run *trackedRun) (err error) {
	if run.id != "" {
		return nil
	}
	if m.experimentID == "" {
		if m.experimentID, err = m.tracking.experiment(ctx, m.experiment); err != nil {
			return err
		}
	}
	request := run.request
	request.Experiment = m.experimentID
	if run.parent != nil {
		if err := m.ensure(ctx, run.parent); err != nil {
			return err
		}
		request.Tags = append([]keyValue{{"mlflow.parentRunId", run.parent.id}}, request.Tags...)
	}
	if run.id, run.artifacts, err = m.create(ctx, request); err != nil {
		return err
	}
	return m.tracking.log(ctx, run.id, nil, run.params, nil)
}

// endStep tells what a step made, then that it ended.
func (m *mlflow) endStep(ctx context.Context, step *trackedRun, e pipelines.Event, figures []metric) error {
	if err := m.ensure(ctx, step); err != nil {
		return err
	}
	errs := []error{m.tracking.log(ctx, step.id, figures, nil, nil)}
	for _, d := range e.Outputs {
		dir := m.places.path(wholeName(d.Name))
		switch kind, _, _ := strings.Cut(d.Name, "/"); {
		case kind == "checkpoints":
			errs = append(errs, m.training(ctx, step, dir, e.Time.UnixMilli()))
		case kind == "reports" && e.Stage == "eval compare":
			errs = append(errs, m.keepOf(ctx, step, "report", dir, "compare.json"))
		case kind == "reports":
			errs = append(errs, m.report(ctx, step, dir, e.Time.UnixMilli()))
		}
	}
	return errors.Join(append(errs, m.end(ctx, step, e))...)
}

// training tells the losses of checkpoints/<run>, and keeps the card and the settings of its best model.
func (m *mlflow) training(ctx context.Context, run *trackedRun, dir string, timestamp int64) error {
	folders, err := trainings(dir)
	if err != nil {
		return err
	}
	for _, f := range folders {
		err := f.curve(timestamp, func(points []metric) error { return m.tracking.log(ctx, run.id, points, nil, nil) })
		if err != nil {
			return err
		}
		err = m.keepOf(ctx, run, path.Join("checkpoint", f.name), filepath.Join(f.path, "best"), "README.md", "config.json")
		if err != nil {
			return err
		}
	}
	return nil
}

// report tells the averages of reports/<name>, to the pipeline's run too, and keeps its pages.
func (m *mlflow) report(ctx context.Context, run *trackedRun, dir string, timestamp int64) error {
	averages, err := evaluation(dir, timestamp)
	if err != nil {
		return err
	}
	for _, id := range []string{run.id, run.parent.id} {
		if err := m.tracking.log(ctx, id, averages, nil, nil); err != nil {
			return err
		}
	}
	return m.keepOf(ctx, run, "report", dir, "report.html", "report.md", "report.json", "eval.json")
}

// keepOf keeps those files of a folder that are there, under a name of their own in the run.
func (m *mlflow) keepOf(ctx context.Context, run *trackedRun, name, dir string, files ...string) error {
	for _, file := range files {
		one := artifact{path.Join(name, file), filepath.Join(dir, file)}
		if _, err := os.Stat(one.path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := m.put(ctx, run.artifacts, one)
		if errors.Is(err, errForeign) {
			if !m.foreign {
				m.foreign = true
				m.log.Warn("files of runs are not kept in MLflow: start its server with --serve-artifacts", "error", err)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("keep %s: %w", one.name, err)
		}
	}
	return nil
}

// end gives a run its last state. A pipeline's run of which MLflow has not been told has none.
func (m *mlflow) end(ctx context.Context, run *trackedRun, e pipelines.Event) error {
	if run.id == "" {
		return nil
	}
	status := "FINISHED"
	if e.Err != nil {
		status = "FAILED"
		if interrupted(e.Err) {
			status = "KILLED"
		}
		if err := m.tracking.log(ctx, run.id, nil, nil, []keyValue{tag("dssdnet.error", e.Err.Error())}); err != nil {
			return err
		}
	}
	return m.update(ctx, run.id, status, e.Time.UnixMilli())
}
