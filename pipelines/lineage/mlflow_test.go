package lineage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
	"dssdnet/train"
)

const pipelineName = "retrain 2010-09-01 12:00"

// write makes a file of a workspace.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// trained makes the workspace of a training and an evaluation.
func trained(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "checkpoints/first/metrics.jsonl", `{"step":1,"epoch":0.5,"split":"train","loss":0.7,"terms":{"focal":0.6},"learning_rate":2e-5,"pairs_per_second":80}
{"step":2,"epoch":1,"split":"train","loss":0.5,"terms":{"focal":0.4},"learning_rate":2e-5,"pairs_per_second":90}
{"step":2,"epoch":1,"split":"valid","loss":0.55,"terms":{"focal":0.45},"accuracy":0.75}
{"step":3,"epo`)
	write(t, dir, "checkpoints/first/best/README.md", "# card")
	write(t, dir, "checkpoints/first/best/config.json", "{}")
	write(t, dir, "reports/weekly/compare.json", "{}")
	write(t, dir, "reports/weekly/report.html", "<html>")
	write(t, dir, "reports/weekly/eval.json", `{"report":"weekly","pool":{"name":"bm25","ceiling":0.9},"runs":[
{"name":"bm25","all":{"values":{"PRES@100":0.4,"AP(rel=2)@50":0.1}}},{"name":"first","all":{"values":{"PRES@100":0.6}}}]}`)
	return dir
}

// training are the events of a run that trains and evaluates.
func training() []pipelines.Event {
	step := func(kind pipelines.EventType, n int, stage string) pipelines.Event {
		_, name, _ := strings.Cut(" "+stage, " ")
		return pipelines.Event{Type: kind, Step: name, Stage: stage, StepID: fmt.Sprintf("01938d3c-0000-7000-8000-00000000010%d", n)}
	}
	trainDone := step(pipelines.StepDone, 2, "train")
	trainDone.Outputs = []pipelines.Data{{Name: "checkpoints/first"}}
	trainDone.Result = train.Result{Run: "first", TrainPairs: 100, MeanBestLoss: 0.55}
	compareDone := step(pipelines.StepDone, 4, "eval compare")
	compareDone.Outputs = []pipelines.Data{{Name: "reports/weekly/compare.json"}}
	evalDone := step(pipelines.StepDone, 3, "eval report")
	evalDone.Outputs = []pipelines.Data{{Name: "reports/weekly"}}
	trainStart := step(pipelines.StepStart, 2, "train")
	trainStart.Settings = map[string]string{"learning-rate": "2e-05", "batch": "64", "odd@key:": ""}
	return []pipelines.Event{
		{Type: pipelines.RunStart, Settings: map[string]string{"patents": "4000"}},
		step(pipelines.StepStart, 1, "sample"), step(pipelines.StepDone, 1, "sample"),
		trainStart, trainDone,
		step(pipelines.StepStart, 3, "eval report"), evalDone,
		step(pipelines.StepStart, 4, "eval compare"), compareDone,
		{Type: pipelines.RunDone},
	}
}

func TestTrainingInMLflow(t *testing.T) {
	s := newMLflowServer(t)
	o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL + "/"})
	o.observe(training()...)
	o.end(t)
	if len(s.runs) != 4 || s.experiments["dssdnet"] == nil {
		t.Fatalf("%d runs, experiments %v", len(s.runs), s.experiments)
	}
	whole, trainRun, report := s.named(t, pipelineName), s.named(t, "train"), s.named(t, "eval report")
	for _, run := range s.runs {
		if run.status != "FINISHED" || run.end <= float64(run.Start) || run.Experiment != "1" || run.tags["mlflow.source.name"] != "dssdnet run retrain" {
			t.Errorf("%+v", run)
		}
	}
	if whole.tags["mlflow.parentRunId"] != "" || trainRun.tags["mlflow.parentRunId"] != whole.id || report.tags["mlflow.parentRunId"] != whole.id {
		t.Errorf("parents: %v, %v", trainRun.tags, report.tags)
	}
	if whole.tags["dssdnet.run_id"] != runUUID || trainRun.tags["mlflow.runName"] != "train" || trainRun.tags["dssdnet.stage"] != "train" {
		t.Errorf("tags: %v, %v", whole.tags, trainRun.tags)
	}
	if diff := cmp.Diff(map[string]string{"learning-rate": "2e-05", "batch": "64", "odd_at_key_": ""}, trainRun.params); diff != "" {
		t.Error(diff)
	}
	if whole.params["patents"] != "4000" {
		t.Error(whole.params)
	}
	at := noon.UnixMilli() + 4000
	want := []metric{{"train/loss", 0.7, at, 1}, {"train/loss", 0.5, at, 2}}
	if diff := cmp.Diff(want, trainRun.metrics["train/loss"]); diff != "" {
		t.Error(diff)
	}
	for name, value := range map[string]float64{
		"valid/loss": 0.55, "valid/focal": 0.45, "valid/accuracy": 0.75, "result/train_pairs": 100, "result/mean_best_loss": 0.55,
	} {
		if got := trainRun.metrics[name]; len(got) != 1 || got[0].Value != value {
			t.Errorf("%s: %v, want %g", name, got, value)
		}
	}
	if comparison := s.named(t, "eval compare"); len(comparison.metrics) != 0 || comparison.files["report/compare.json"] != "{}" {
		t.Errorf("%+v", comparison)
	}
	for _, run := range []*mlflowRun{whole, report} {
		for name, value := range map[string]float64{
			"bm25/PRES_at_100": 0.4, "bm25/AP_rel_2_at_50": 0.1, "first/PRES_at_100": 0.6, "bm25/ceiling": 0.9,
		} {
			if got := run.metrics[name]; len(got) != 1 || got[0].Value != value {
				t.Errorf("%s of %s: %v, want %g", name, run.Name, got, value)
			}
		}
	}
	if diff := cmp.Diff(map[string]string{"checkpoint/README.md": "# card", "checkpoint/config.json": "{}"}, trainRun.files); diff != "" {
		t.Error(diff)
	}
	if report.files["report/report.html"] != "<html>" || len(report.files) != 2 {
		t.Errorf("files of the report: %v", report.files)
	}
}

func TestServerThatStartsLate(t *testing.T) {
	s := newMLflowServer(t)
	s.failures = 6
	o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	o.observe(training()[:7]...)
	last := training()[9]
	// The pipeline ends once the server answers: a queue that closes before gives up on a silent server.
	tracked := o.all[0].(*mlflow)
	reached := make(chan struct{})
	tracked.queue.add(func(context.Context) error { close(reached); return nil })
	<-reached
	o.observe(last)
	if err := o.done(context.Background()); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("nothing was lost: %v", err)
	}
	// The first four requests were for the start of the training, the next two for its end and the evaluation's start.
	if run := s.named(t, "eval report"); run.status != "FINISHED" || run.metrics["first/PRES_at_100"] == nil {
		t.Errorf("%+v", run)
	}
	if whole := s.named(t, pipelineName); whole.status != "FINISHED" {
		t.Errorf("%+v", whole)
	}
}

func TestFailedAndKilledRuns(t *testing.T) {
	for _, c := range []struct {
		err    error
		status string
	}{{errors.New(strings.Repeat("x", 6000)), "FAILED"}, {fmt.Errorf("train: %w", context.Canceled), "KILLED"}} {
		s := newMLflowServer(t)
		o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL, "MLFLOW_EXPERIMENT_NAME": "x y"})
		events := training()[:5]
		events[4].Type, events[4].Err = pipelines.StepFail, c.err
		o.observe(append(events, pipelines.Event{Type: pipelines.RunFail, Err: c.err})...)
		o.end(t)
		for _, run := range s.runs {
			if run.status != c.status || !strings.HasPrefix(c.err.Error(), strings.TrimSuffix(run.tags["dssdnet.error"], mark)) || run.tags["dssdnet.error"] == "" {
				t.Errorf("%s: %s, %v", run.Name, run.status, run.tags)
			}
		}
		if got := s.named(t, "train").metrics["train/loss"]; len(got) != 2 {
			t.Errorf("losses of a failed training: %v", got)
		}
	}
}

func TestNoRunWithoutTraining(t *testing.T) {
	s := newMLflowServer(t)
	o := newObservers(t, Config{}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	o.observe(append(training()[:3], pipelines.Event{Type: pipelines.StepSkip, Step: "train", Stage: "train"}, pipelines.Event{Type: pipelines.RunDone})...)
	o.end(t)
	if s.requests != 0 || len(o.all[0].(*mlflow).runs) != 0 {
		t.Errorf("%d requests", s.requests)
	}
}

func TestManyParamsAndLongValues(t *testing.T) {
	s := newMLflowServer(t)
	o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	events := training()
	for i := range 250 {
		events[3].Settings[fmt.Sprintf("%d%s", i, strings.Repeat("k", 300))] = strings.Repeat("<é", 10000)
	}
	o.observe(events...)
	o.end(t)
	run := s.named(t, "train")
	if len(run.params) != 253 {
		t.Errorf("%d params", len(run.params))
	}
	for name, value := range run.params {
		if len(name) == maxKey && (len(value) > maxParamValue || !strings.HasSuffix(value, mark)) {
			t.Errorf("%s: %d bytes, ends in %q", name, len(value), value[len(value)-20:])
		}
	}
}

func TestLongTrainingIsThinned(t *testing.T) {
	s := newMLflowServer(t)
	dir := trained(t)
	var lines strings.Builder
	for i := range 3*curvePoints + 10 {
		fmt.Fprintf(&lines, `{"step":%d,"split":"train","loss":0.5,"terms":{"focal":0.4}}`+"\n", i+1)
	}
	lines.WriteString(`{"step":6010,"split":"valid","loss":0.25,"terms":{}}` + "\n")
	for _, seed := range []string{"seed-1", "seed-2"} {
		write(t, dir, "checkpoints/first/"+seed+"/metrics.jsonl", lines.String())
		write(t, dir, "checkpoints/first/"+seed+"/best/README.md", seed)
	}
	o := newObservers(t, Config{Workspace: workspace.Dir(dir)}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	o.observe(training()...)
	o.end(t)
	run := s.named(t, "train")
	for _, name := range []string{"seed-1/train/loss", "seed-2/train/loss"} {
		if got := run.metrics[name]; len(got) != 1502 || got[0].Step != 4 || got[1501].Step != 6008 {
			t.Errorf("%s: %d points", name, len(got))
		}
	}
	if got := run.metrics["seed-2/valid/loss"]; len(got) != 1 || got[0].Value != 0.25 {
		t.Errorf("validations: %v", got)
	}
	if run.files["checkpoint/seed-2/README.md"] != "seed-2" || run.files["checkpoint/README.md"] != "# card" {
		t.Errorf("files: %v", run.files)
	}
}

func TestDeletedExperiment(t *testing.T) {
	s := newMLflowServer(t)
	s.experiments["dssdnet"] = &experimentInfo{ID: "9", Stage: "deleted"}
	o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	o.observe(training()...)
	if err := o.done(context.Background()); err == nil || !strings.Contains(err.Error(), `experiment "dssdnet" is deleted: restore it`) {
		t.Error(err)
	}
	if n := strings.Count(o.log.String(), "\n"); n != 1 || len(s.runs) != 0 {
		t.Errorf("%d lines, %d runs", n, len(s.runs))
	}
}

func TestArtifactsInASharedFolder(t *testing.T) {
	s := newMLflowServer(t)
	shared := t.TempDir()
	s.artifactURI = "file://" + shared + "/"
	o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	o.observe(training()...)
	o.end(t)
	id := s.named(t, "eval report").id
	if data, err := os.ReadFile(filepath.Join(shared, id, "artifacts/report/report.html")); err != nil || string(data) != "<html>" {
		t.Errorf("%s, %v", data, err)
	}
}

func TestArtifactsElsewhereAreToldOnce(t *testing.T) {
	for _, uri := range []string{"s3://bucket/", "mlflow-artifacts://other.host/1/", "mlruns/1/", "dbfs:/databricks/"} {
		s := newMLflowServer(t)
		s.artifactURI = uri
		o := newObservers(t, Config{Workspace: workspace.Dir(trained(t))}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
		o.observe(training()...)
		if err := o.done(context.Background()); err != nil {
			t.Error(err)
		}
		if text := o.log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, uri) {
			t.Errorf("%s: %s", uri, text)
		}
		if s.named(t, "eval report").status != "FINISHED" {
			t.Errorf("%s: the run did not end", uri)
		}
	}
}

func TestNamesAndNumbersThatMLflowTakes(t *testing.T) {
	for name, want := range map[string]string{
		"bm25/nDCG@100": "bm25/nDCG_at_100", "AP(rel=2)@50": "AP_rel_2_at_50", "Größe": "Gr_e", "/a/": "a", strings.Repeat("x", 300): strings.Repeat("x", 250),
	} {
		if got := key(name); got != want {
			t.Errorf("key(%q) is %q, want %q", name, got, want)
		}
	}
	s := newMLflowServer(t)
	s.runs = []*mlflowRun{{id: "run1", metrics: map[string][]metric{}}}
	o := newObservers(t, Config{}, map[string]string{"MLFLOW_TRACKING_URI": s.URL})
	points := []metric{{"a", math.NaN(), 1, 0}, {"b", 1, 1, 0}, {"c", math.Inf(1), 1, 0}}
	if err := o.all[0].(*mlflow).tracking.log(context.Background(), "run1", points, nil, nil); err != nil {
		t.Error(err)
	}
	if len(s.runs[0].metrics) != 1 {
		t.Errorf("%v", s.runs[0].metrics)
	}
}

func TestExperimentMadeByAnother(t *testing.T) {
	s := newMLflowServer(t)
	asked := 0
	other := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		asked = n + 1
		if n == 1 { // between the question and the creation
			s.experiments["e"] = &experimentInfo{ID: "4", Stage: "active"}
		}
		s.serve(w, r)
	})
	if id, err := (tracking{other}).experiment(context.Background(), "e"); err != nil || id != "4" || asked != 3 {
		t.Errorf("%q, %v after %d requests", id, err, asked)
	}
}
