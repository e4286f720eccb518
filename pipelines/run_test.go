package pipelines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// TestSkipping changes one thing after the other and expects just the steps to run that depend on it.
func TestSkipping(t *testing.T) {
	b := newBench(t, chain[2], chain[1], chain[0]) // the order of the data, not of the file
	b.wants("a b c")
	r := b.wants("")
	for _, s := range r.Steps {
		if s.Status != Skipped || !strings.HasPrefix(s.Reason, "nothing has changed since") || s.Result == nil {
			t.Errorf("step %s is %s: %s, with result %v", s.Step, s.Status, s.Reason, s.Result)
		}
	}

	b.write(chain[0], strings.Replace(chain[1], "text: B", "text: D", 1), chain[2])
	r = b.wants("b c")
	if got := r.Steps[1].Reason; got != "text was B and is D" {
		t.Errorf("b ran, for %s", got)
	}
	if got := r.Steps[2].Reason; got != "pools/b has changed" {
		t.Errorf("c ran, for %s", got)
	}

	if err := os.RemoveAll(filepath.Dir(b.table("pools/b"))); err != nil {
		t.Fatal(err)
	}
	r = b.wants("b") // and writes the same, so c has nothing to do
	if got := r.Steps[1].Reason; got != "its output pools/b is gone" {
		t.Errorf("b ran, for %s", got)
	}

	b.file(b.table("pools/b"), "somebody else's")
	r = b.wants("b")
	if got := r.Steps[1].Reason; got != "its output pools/b is not what it left" {
		t.Errorf("b ran, for %s", got)
	}

	// Another time of a file is no change.
	long := time.Now().Add(-1000 * time.Hour)
	if err := os.Chtimes(b.table(patents), long, long); err != nil {
		t.Fatal(err)
	}
	b.wants("")

	b.config.Set = []string{"x=2"}
	b.wants("a b c")
	b.config.From, b.config.Force = "b", true
	r = b.wants("b c")
	if r.Steps[0].Status != NotRun || r.Steps[0].Reason != "it comes before --from b" {
		t.Errorf("a is %s: %s", r.Steps[0].Status, r.Steps[0].Reason)
	}
	b.config.From, b.config.Force, b.config.Until = "", false, "b"
	b.config.Set = []string{"x=3"}
	r = b.wants("a b")
	if r.Steps[2].Status != NotRun {
		t.Errorf("c is %s", r.Steps[2].Status)
	}

	tool := manifest.Tool
	defer func() { manifest.Tool = tool }()
	manifest.Tool = "v99"
	b.config.Until = ""
	r = b.wants("a b c")
	if got := r.Steps[0].Reason; got != "dssdnet was "+tool+" and is v99" {
		t.Errorf("a ran, for %s", got)
	}
}

// TestLargeData compares by sizes and times what is too large to be read each time.
func TestLargeData(t *testing.T) {
	b := newBench(t, chain...)
	b.wants("a b c")
	path := filepath.Join(filepath.Dir(b.table(patents)), "large")
	b.file(path, "")
	if err := os.Truncate(path, contentBytes+1); err != nil { // a hole: it takes no space
		t.Fatal(err)
	}
	b.config.From = "b"
	b.wants("b")
	b.wants("")
	at := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	b.wants("b")
}

func TestFailureAndRetry(t *testing.T) {
	b := newBench(t, chain...)
	b.do["b"] = func(context.Context) error { return errors.New("the plug was pulled") }
	if _, err := again(t.Context(), b.config, b.catalog(), b.machine); err == nil || !strings.Contains(err.Error(), "no pipeline has been run") {
		t.Errorf("retry of nothing: %v", err)
	}
	b.config.Set = []string{"x=7"}
	r, ran, err := b.run()
	if err == nil || err.Error() != "step b: the plug was pulled" || fault.KindOf(err) != fault.Failed {
		t.Fatalf("error %v", err)
	}
	if fmt.Sprint(ran) != "[a b]" || r.Status != Failed || r.Steps[1].Status != Failed || r.Steps[2].Status != NotRun || r.Steps[2].Reason != "step b failed" {
		t.Errorf("ran %v, %s:\n%s", ran, r.Status, story(r))
	}
	last, err := LastRun(b.config.Workspace)
	if err != nil || last.Status != Failed || last.Steps[1].Error != "step b: the plug was pulled" {
		t.Errorf("run_results.json has %+v, %v", last, err)
	}

	delete(b.do, "b")
	retry := b.config
	retry.File, retry.Set = "", nil // the file says it
	b.ran = nil
	r, err = again(t.Context(), retry, b.catalog(), b.machine)
	if err != nil || fmt.Sprint(b.ran) != "[b c]" || r.Vars["x"] != "7" {
		t.Errorf("retry ran %v with x=%s: %v", b.ran, r.Vars["x"], err)
	}
	if _, err := again(t.Context(), retry, b.catalog(), b.machine); err == nil || !strings.Contains(err.Error(), "there is nothing to retry") {
		t.Errorf("retry of a success: %v", err)
	}
	b.wants("")
}

// TestRetryOfAKilledRun begins with the step that was under way.
func TestRetryOfAKilledRun(t *testing.T) {
	b := newBench(t, chain...)
	b.do["b"] = func(context.Context) error {
		left, err := os.ReadFile(resultsPath(b.config.Workspace))
		if err == nil {
			b.file(resultsPath(b.config.Workspace)+".then", string(left))
		}
		return errors.Join(err, errors.New("killed"))
	}
	b.fails("killed")
	if err := os.Rename(resultsPath(b.config.Workspace)+".then", resultsPath(b.config.Workspace)); err != nil {
		t.Fatal(err)
	}
	delete(b.do, "b")
	b.ran = nil
	if _, err := again(t.Context(), b.config, b.catalog(), b.machine); err != nil || fmt.Sprint(b.ran) != "[b c]" {
		t.Errorf("retry ran %v: %v", b.ran, err)
	}
}

// TestRefusal runs what comes after the gate, and says again what it said as long as nothing changes.
func TestRefusal(t *testing.T) {
	b := newBench(t, chain...)
	b.do["b"] = func(context.Context) error {
		b.file(b.table("pools/b"), "all was written")
		return fault.New(fault.GateRefused, "worse than before")
	}
	for i, want := range []string{"[a b c]", "[]"} {
		r, ran, err := b.run()
		if fault.KindOf(err) != fault.GateRefused || err.Error() != "step b: worse than before" {
			t.Errorf("error %v", err)
		}
		if fmt.Sprint(ran) != want || r.Status != Refused || r.Steps[1].Status != Refused {
			t.Errorf("run %d: ran %v, want %s: %s\n%s", i, ran, want, r.Status, story(r))
		}
	}
	delete(b.do, "b")
	b.config.Set = []string{"x=2"}
	b.wants("a b c")
}

// TestDeadLetters fails the run as the command would, and leaves the manifest that it leaves.
func TestDeadLetters(t *testing.T) {
	b := newBench(t, chain...)
	b.do["b"] = func(context.Context) error { return fault.New(fault.DeadLetters, "too many") }
	c := b.catalog()
	plain := c["make"]
	c["make"] = func(p place) *binding {
		made := plain(p)
		made.schema = "records/1"
		return made
	}
	r, err := start(t.Context(), b.config, c, b.machine)
	if fault.KindOf(err) != fault.DeadLetters || r.Steps[2].Status != NotRun {
		t.Errorf("error %v:\n%s", err, story(r))
	}
	m, err := manifest.Load(b.config.Workspace.Manifests(), "make", "")
	if err != nil || string(m.Result) == "" || !strings.Contains(string(m.Config), `"name": "b"`) {
		t.Errorf("manifest %+v, %v", m, err)
	}
}

func TestInterrupt(t *testing.T) {
	b := newBench(t, chain...)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.do["b"] = func(ctx context.Context) error { // the unit in hand is finished
		stop()
		return nil
	}
	r, err := start(ctx, b.config, b.catalog(), b.machine)
	if !errors.Is(err, context.Canceled) || r.Steps[1].Status != Done || r.Steps[2].Status != NotRun || r.Steps[2].Reason != "the run was interrupted" {
		t.Errorf("error %v:\n%s", err, story(r))
	}
	delete(b.do, "b")
	b.wants("c")
}

// TestMissingOnTheWay is of a step whose input was to be written by one that did not run.
func TestMissingOnTheWay(t *testing.T) {
	b := newBench(t, chain...)
	b.config.From = "b"
	b.fails("test.yaml:5: step b reads patents, which does not exist: step a writes it, and --from b leaves that out")
	b.config.From = ""
	b.write(strings.Replace(chain[0], "stage:", `if-exists: "${workspace}/incoming", stage:`, 1), chain[1])
	b.fails("step b reads patents, which does not exist: step a writes it, if there is " + filepath.Join(string(b.config.Workspace), "incoming"))
	b.file(filepath.Join(string(b.config.Workspace), "incoming", "x"), "")
	b.wants("a b")
	if err := os.RemoveAll(filepath.Join(string(b.config.Workspace), "incoming")); err != nil {
		t.Fatal(err)
	}
	if r := b.wants(""); !strings.HasSuffix(r.Steps[0].Reason, "/incoming") || !strings.HasPrefix(r.Steps[0].Reason, "there is no ") {
		t.Errorf("a: %s", r.Steps[0].Reason)
	}
	b.config.From, b.config.Until = "b", "a"
	b.fails("--from b comes after --until a")
	b.config.Until = "z"
	b.fails("--until z: the pipeline", "has no such step; it has a, b")
}

// TestModels is a retraining: train reads the current model, and promote replaces it.
func TestModels(t *testing.T) {
	b := newBench(t,
		`step: train, stage: make, with: {name: train, reads: "patents,models?", writes: checkpoints/new, text: T}`,
		`step: score, stage: make, with: {name: score, reads: checkpoints/new, writes: runs/new, text: S}`,
		`step: promote, stage: make, with: {name: promote, reads: "runs/new,models?", writes: models, text: "v${x}"}`,
	)
	b.config.Workspace.Table("")
	b.file(b.table(patents), "one")
	// The stage writes runs as folders; the engine knows them by their files.
	c := b.catalog()
	plain := c["make"]
	c["make"] = func(p place) *binding {
		made := plain(p)
		reads, writes := made.reads, made.writes
		folders := func(all []ref) []ref {
			for i := range all {
				if strings.HasPrefix(all[i].name, "runs/") {
					all[i] = ref{name: all[i].name, paths: []string{p.ws.Table(all[i].name)}}
				}
			}
			return all
		}
		made.reads = func() []ref { return folders(reads()) }
		made.writes = func() []ref { return folders(writes()) }
		return made
	}
	run := func(want string) Result {
		t.Helper()
		b.ran = nil
		r, err := start(t.Context(), b.config, c, b.machine)
		if err != nil || strings.Join(b.ran, " ") != want {
			t.Fatalf("ran %v, want %s: %v\n%s", b.ran, want, err, story(r))
		}
		return r
	}
	run("train score promote")
	r := run("") // that the model is new is no news
	if got := r.Steps[0].Reason; !strings.HasPrefix(got, "only the current model has changed") {
		t.Errorf("train was skipped, for %s", got)
	}
	b.promote("v0") // a rollback stays
	run("")
	b.file(b.table(patents), "two")
	b.config.Set = []string{"x=2"}
	run("train score promote")
}

func TestEvents(t *testing.T) {
	b := newBench(t, chain...)
	b.do["c"] = func(context.Context) error { return errors.New("no") }
	b.told("run_start step_start:a step_done:a step_start:b step_done:b step_start:c step_fail:c run_fail")
	delete(b.do, "c")
	b.told("run_start step_skip:a step_skip:b step_start:c step_done:c run_done")
	e := b.events[4]
	if len(e.Inputs) != 1 || e.Inputs[0].Name != "pools/b" || e.Inputs[0].Files != 1 || e.Inputs[0].Fingerprint == "" || len(e.Outputs) != 1 ||
		e.Outputs[0].Bytes != int64(len("C+B+1")) || e.Result == nil || e.Settings["text"] != "C" || e.StepID == "" || e.Stage != "make" || e.Pipeline != "test" {
		t.Errorf("the end of c is told as %+v", e)
	}
}

// told runs the pipeline and compares what the observers were told.
func (b *bench) told(want string) {
	b.t.Helper()
	_, _, _ = b.run()
	var all []string
	for _, e := range b.events {
		text := string(e.Type)
		if e.Step != "" {
			text += ":" + e.Step
		}
		all = append(all, text)
	}
	if got := strings.Join(all, " "); got != want {
		b.t.Errorf("told\n%s, want\n%s", got, want)
	}
}

func TestDryRun(t *testing.T) {
	b := newBench(t, chain...)
	b.config.DryRun = true
	r, ran, err := b.run()
	if err != nil || len(ran) > 0 || len(b.events) > 0 {
		t.Fatalf("ran %v, %v, told %v", ran, err, b.events)
	}
	if _, err := os.Stat(string(b.config.Workspace)); !os.IsNotExist(err) {
		t.Errorf("a dry run made the workspace: %v", err)
	}
	for _, s := range r.Steps {
		if s.Status != WouldRun || s.Reason != "it has not been run here" {
			t.Errorf("%s: %s, %s", s.Step, s.Status, s.Reason)
		}
	}
	b.config.DryRun = false
	b.wants("a b c")
	b.config.DryRun, b.config.Set = true, []string{"x=2"}
	r, _, err = b.run()
	if err != nil {
		t.Fatal(err)
	}
	want := "a: run, text was 1 and is 2\nb: may run, if step a changes patents\nc: may run, if step b changes pools/b"
	if got := story(r); got != want {
		t.Errorf("the dry run says\n%s, want\n%s", got, want)
	}
	b.config.Set = nil
	if r, _, _ = b.run(); r.Steps[0].Status != WouldSkip {
		t.Errorf("the dry run says\n%s", story(r))
	}
}

// TestFullDisk refuses to begin, and tells what to do when the disk fills up on the way.
func TestFullDisk(t *testing.T) {
	b := newBench(t, chain...)
	free := int64(10 << 20)
	b.machine.free = func(string) (int64, error) { return free, nil }
	b.fails("the disk of", "is full: 10MiB are free")
	if len(b.ran) > 0 {
		t.Errorf("ran %v", b.ran)
	}
	if _, err := os.Stat(string(b.config.Workspace)); !os.IsNotExist(err) {
		t.Errorf("something was written to the full disk: %v", err)
	}
	free = 1 << 40
	b.do["b"] = func(context.Context) error { return &os.PathError{Op: "write", Path: "x", Err: unix.ENOSPC} }
	b.fails("step b: the disk of", "free some space and go on with dssdnet retry")
	b.do["b"] = func(context.Context) error { free = 0; return nil }
	b.fails("step c", "is full")
	free = 1 << 40
	delete(b.do, "b")
	b.wants("c")
}

// TestNewerWorkspace touches nothing in a workspace that a newer dssdnet has written.
func TestNewerWorkspace(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"manifest": {"manifests/merge.json", `{"version": 2}`, "merge.json has version 2, this dssdnet"},
		"record":   {"manifests/steps/test.a.json", `{"version": 9}`, "test.a.json has version 9"},
		"results":  {"run_results.json", `{"version": 5}`, "run_results.json has version 5"},
		"table":    {"manifests/topics.x.json", `{"version": 1, "schema": "topics/7"}`, "topics/7 was written by a newer dssdnet"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, chain...)
			path := filepath.Join(string(b.config.Workspace), c.file)
			b.file(path, c.text)
			err := b.failure(c.want, "upgrade")
			if fault.KindOf(err) != fault.Rejected || len(b.ran) > 0 {
				t.Errorf("ran %v: %v", b.ran, err)
			}
			if left, _ := os.ReadFile(path); string(left) != c.text {
				t.Errorf("%s is now %s", c.file, left)
			}
			if _, err := Status(t.Context(), b.config.Workspace); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("status: %v", err)
			}
		})
	}
}

// TestClockSetBack warns, and decides as before.
func TestClockSetBack(t *testing.T) {
	b := newBench(t, chain...)
	b.wants("a b c")
	b.at(time.Now().Add(-24 * time.Hour))
	r := b.wants("")
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "the clock of this machine says") {
		t.Errorf("warnings %q", r.Warnings)
	}
	future := time.Now().Add(1000 * time.Hour)
	if err := os.Chtimes(b.table(patents), future, future); err != nil {
		t.Fatal(err)
	}
	b.at(time.Now())
	if r := b.wants(""); len(r.Warnings) != 0 {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestDamagedRecord(t *testing.T) {
	b := newBench(t, chain...)
	b.wants("a b c")
	b.file(recordPath(b.config.Workspace, "test", "b"), "{")
	err := b.failure("the record", "is damaged", "delete it, and the step is run again")
	if fault.KindOf(err) != fault.Rejected {
		t.Errorf("%v", err)
	}
}

// TestRunResults is the contract of run_results.json.
func TestRunResults(t *testing.T) {
	b := newBench(t, chain...)
	b.wants("a b c")
	data, err := os.ReadFile(resultsPath(b.config.Workspace))
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	step := r["steps"].([]any)[2].(map[string]any)
	for _, key := range []string{"step", "stage", "status", "reason", "seconds", "peak_rss", "disk_bytes", "result"} {
		if step[key] == nil {
			t.Errorf("a step has no %s: %v", key, step)
		}
	}
	for _, key := range []string{"version", "tool", "pipeline", "file", "run_id", "status", "vars", "started", "seconds"} {
		if r[key] == nil {
			t.Errorf("the result has no %s", key)
		}
	}
}
