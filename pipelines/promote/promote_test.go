package promote

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/eval/evaltest"
	"dssdnet/eval/report"
	"dssdnet/eval/rerank"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines/registry"
	"dssdnet/schemas/arrowfile"
)

const pairs = "plain"

// fixture is a workspace with test groups of 40 topics.
func fixture(t *testing.T) (*evaltest.Workspace, Config) {
	t.Helper()
	w := evaltest.New(t, 40, 200, 30)
	groups(t, w, "EP-1")
	c := Default()
	c.Workspace, c.Set, c.Pool, c.Report = w.Dir, evaltest.Set, evaltest.PoolName, "weekly"
	return w, c
}

// groups writes the files of test groups, whose content the hash alone is of.
func groups(t *testing.T, w *evaltest.Workspace, doc string) {
	t.Helper()
	dir := filepath.Join(string(w.Dir), "pairs", pairs)
	write(t, filepath.Join(dir, "test-00000.arrow"), arrowfile.Groups, arrowfile.Judged{TopicID: "T", QueryID: "EP-1", DocID: doc, Source: arrowfile.SourcePool, PoolRank: 1})
	write(t, filepath.Join(dir, "texts.arrow"), arrowfile.Texts, arrowfile.Text{Kind: arrowfile.KindPatent, ID: doc})
}

func write[R any](t *testing.T, path string, table arrowfile.Table[R], row R) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path)
	a, err := arrowfile.Create(path, table, arrowfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Append(&row); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// trained makes the best checkpoint of a training, of these weights, with the run that it made: skill is how much higher
// golds score.
func trained(t *testing.T, w *evaltest.Workspace, training string, skill float64, seed uint64) {
	t.Helper()
	best := filepath.Join("checkpoints", training, "best")
	weights := fmt.Sprintf("%s of skill %g, seed %d", training, skill, seed)
	w.File(t, filepath.Join(best, "model.safetensors"), weights)
	w.File(t, filepath.Join(best, "config.json"), `{"dssdnet": {"model": "ds_sd"}}`)
	w.File(t, filepath.Join(best, "vocab.txt"), "[PAD]\n")
	w.File(t, filepath.Join(best, "trainer_state.json"), `{"step": 7, "best_loss": 0.5, "seed": 3, "train_sha256": "ab", "settings": {"encoder": "tiny"}, "init": {"from": "v9"}}`)
	ranked(t, w, training, filepath.Join(string(w.Dir), best), skill, seed)
}

// ranked makes a run with its note, as dssdnet rerank leaves them.
func ranked(t *testing.T, w *evaltest.Workspace, run, checkpoint string, skill float64, seed uint64) {
	t.Helper()
	text, err := os.ReadFile(w.Rerank(t, run, skill, seed))
	if err != nil {
		t.Fatal(err)
	}
	defaults := rerank.Default()
	note := rerank.Note{Pairs: pairs, Identity: rerank.Identity{
		Tool: manifest.Tool, Precision: defaults.Precision, BatchTokens: defaults.BatchTokens, Window: defaults.Window, Shards: 1,
		Groups:     hashes(t, filepath.Join(string(w.Dir), "pairs", pairs), "test-00000.arrow", "texts.arrow"),
		Checkpoint: hashes(t, checkpoint, modelFiles...),
	}}
	data, err := json.Marshal(note)
	if err != nil {
		t.Fatal(err)
	}
	w.File(t, filepath.Join("runs", run+".json"), string(data))
	f, err := os.Create(rerank.RunFile(w.Dir, run))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func hashes(t *testing.T, dir string, names ...string) []manifest.Input {
	t.Helper()
	var all []manifest.Input
	for _, name := range names {
		input, err := manifest.HashInput(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		input.Path = name
		all = append(all, input)
	}
	return all
}

// scoredBy makes the run of a version that dssdnet rerank would make of the groups.
func scoredBy(t *testing.T, w *evaltest.Workspace, version string, skill float64, seed uint64) {
	t.Helper()
	ranked(t, w, "current", w.ModelCheckpoint(version), skill, seed)
}

func current(t *testing.T, ws workspace.Dir) string {
	t.Helper()
	version, err := ws.CurrentModel()
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func gateFile(t *testing.T, c Config) report.Gate {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(string(c.Workspace), "reports", c.report(), report.GateFile))
	if err != nil {
		t.Fatal(err)
	}
	var g report.Gate
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGate takes a registry through a year: a first model, a worse one, a better one, a rollback.
func TestGate(t *testing.T) {
	w, c := fixture(t)
	trained(t, w, "a", 1.5, 1)
	c.Run, c.Pipeline, c.PipelineRun = "a", "retrain", "0001"
	r, err := Run(t.Context(), c)
	if err != nil || r.Version != "v1" || !r.Promoted || r.Current != "v1" || !strings.Contains(r.Reason, "no current model") {
		t.Fatalf("the first: %+v, %v", r, err)
	}
	m, err := registry.Open(w.Dir).Get("current")
	if err != nil {
		t.Fatal(err)
	}
	l := m.Lineage
	if l.Network != "ds_sd" || l.Encoder != "tiny" || l.Init != "v9" || l.Steps != 7 || l.Seed != 3 || l.Pipeline != "retrain" || l.PipelineRun != "0001" ||
		len(l.Qrels) != 1 || l.Qrels[0].Path != "qrels/test.parquet" || l.Run.Path != "runs/a.trec.gz" || len(l.Groups) != 2 {
		t.Errorf("lineage %+v", l)
	}
	if m.Against != "pool "+evaltest.PoolName || m.Figures[0].Measure != "PRES@100" || m.Figures[0].Test.Topics != 40 {
		t.Errorf("figures %+v", m.Figures)
	}
	if again, err := Run(t.Context(), c); err != nil || !again.Skipped || again.Version != "v1" {
		t.Errorf("again: %+v, %v", again, err)
	}

	trained(t, w, "b", 0, 2) // labels that say nothing
	c.Run = "b"
	scoredBy(t, w, "v1", 1.5, 1)
	for range 2 {
		r, err = Run(t.Context(), c)
		if fault.KindOf(err) != fault.GateRefused || r.Version != "v2" || r.Promoted || r.Current != "v1" || r.Baseline != "v1" {
			t.Fatalf("a worse one: %+v, %v", r, err)
		}
		for _, part := range []string{"the gate refused v2", "v1 remains the current model", "PRES@100 is 0.", "difference -0.", "p <0.0001", "95 % interval -0.", "40 topics", "a significant loss at alpha 0.05", "dssdnet model promote v2"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q lacks %q", err, part)
			}
		}
	}
	if g := gateFile(t, c); g.Promoted || g.Version != "v2" || g.Reason != r.Reason || g.BaselineRun == nil || g.BaselineRun.Path != "runs/current.trec.gz" {
		t.Errorf("gate.json: %+v", g)
	}

	trained(t, w, "c", 3, 3)
	c.Run, c.RequireGain = "c", true
	if r, err = Run(t.Context(), c); err != nil || r.Version != "v3" || r.Current != "v3" || !strings.Contains(r.Reason, "a significant gain") {
		t.Fatalf("a better one: %+v, %v", r, err)
	}

	writer, err := registry.Open(w.Dir).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Rollback("complaints"); err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	if r, err = Run(t.Context(), c); err != nil || !r.Skipped || r.Current != "v1" {
		t.Errorf("what was rolled back came back: %+v, %v", r, err)
	}
}

// TestKilledPromotion: the version is registered, and the link was not moved.
func TestKilledPromotion(t *testing.T) {
	w, c := fixture(t)
	trained(t, w, "a", 1.5, 1)
	c.Run = "a"
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(w.Models(), workspace.Current)); err != nil {
		t.Fatal(err)
	}
	history := filepath.Join(w.Models(), "history.jsonl")
	data, err := os.ReadFile(history)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(data), "\n")
	if err := os.WriteFile(history, []byte(before+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := Run(t.Context(), c); err != nil || r.Version != "v1" || r.Current != "v1" || current(t, w.Dir) != "v1" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCollapsedModelIsNotPromoted(t *testing.T) {
	w, c := fixture(t)
	trained(t, w, "a", 0, 1)
	text := strings.Builder{}
	for _, topic := range w.Topics {
		for _, p := range w.Pool[topic.TopicID] {
			fmt.Fprintf(&text, "%s Q0 %s %d 1 a\n", topic.TopicID, p.PatentID, p.Rank)
		}
	}
	f, err := os.Create(rerank.RunFile(w.Dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	_, _ = z.Write([]byte(text.String()))
	_ = z.Close()
	_ = f.Close()
	c.Run = "a"
	r, err := Run(t.Context(), c)
	if fault.KindOf(err) != fault.GateRefused || !strings.Contains(r.Reason, "collapsed") || r.Current != "" || !strings.Contains(err.Error(), "still no current model") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestWrongRuns: what does not belong together is not compared, and nothing is registered.
func TestWrongRuns(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*testing.T, *evaltest.Workspace, *Config)
		kind   fault.Kind
		says   string
	}{
		"no checkpoint": {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Training = "x" }, fault.Usage, "dssdnet train --run x"},
		"no run":        {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Run, c.Training = "x", "b" }, fault.Usage, "dssdnet rerank --checkpoint"},
		"other weights": {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Training = "a" }, fault.Rejected, "other weights"},
		"no baseline":   {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Baseline = "" }, fault.Usage, "--baseline is empty, and v1 is current"},
		"the same run":  {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Baseline = "b" }, fault.Usage, "a run of its own"},
		"no such set":   {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Set = "x" }, fault.Usage, `no qrels set "x"`},
		"no such value": {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Measure = "AP(rel=9)" }, fault.Usage, "has no value"},
		"measure":       {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Measure = "F1" }, fault.Usage, "--measure"},
		"alpha":         {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Alpha = 1 }, fault.Usage, "--alpha"},
		"max-loss":      {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.MaxLoss = -1 }, fault.Usage, "--max-loss"},
		"training":      {func(_ *testing.T, _ *evaltest.Workspace, c *Config) { c.Training = "../b" }, fault.Usage, "--training"},
		"changed groups": {func(t *testing.T, w *evaltest.Workspace, _ *Config) {
			groups(t, w, "EP-2")
			scoredBy(t, w, "v1", 1.5, 1)
		}, fault.Rejected, "have changed since run b was made"},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := fixture(t)
			trained(t, w, "a", 1.5, 1)
			c.Run = "a"
			if _, err := Run(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			trained(t, w, "b", 1.5, 2)
			scoredBy(t, w, "v1", 1.5, 1)
			c.Run = "b"
			test.change(t, w, &c)
			_, err := Run(t.Context(), c)
			if fault.KindOf(err) != test.kind || !strings.Contains(fmt.Sprint(err), test.says) {
				t.Errorf("error %v", err)
			}
			if all, err := registry.Open(w.Dir).List(); len(all) != 1 || err != nil {
				t.Errorf("%d versions, %v", len(all), err)
			}
		})
	}
}

func TestTwoPromotersAtOnce(t *testing.T) {
	w, c := fixture(t)
	trained(t, w, "a", 1.5, 1)
	c.Run = "a"
	writer, err := registry.Open(w.Dir).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "being changed by another process") {
		t.Errorf("error %v", err)
	}
	_ = writer.Close()
	if _, err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
}
