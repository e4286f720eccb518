package pipelines_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/eval/tables"
	"dssdnet/ingest/broker"
	"dssdnet/ingest/publish"
	"dssdnet/ingest/qrels"
	"dssdnet/ingest/synth"
	"dssdnet/ingest/topics"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
	"dssdnet/pipelines/registry"
	"dssdnet/schemas"
	"dssdnet/train/torch"
)

// weekly is a workspace to which a batch of patents comes each week.
type weekly struct {
	*testing.T
	ws          workspace.Dir
	cluster     cluster.Config
	collections string
}

func newWeekly(t *testing.T) *weekly {
	t.Helper()
	if err := torch.Available(); err != nil {
		t.Skipf("needs the native library: %v", err)
	}
	w := &weekly{T: t, ws: workspace.Dir(t.TempDir()), collections: t.TempDir()}
	cfg := broker.Default()
	cfg.Workspace = w.ws
	b, err := broker.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	w.cluster = b.Cluster()
	return w
}

func (w *weekly) must(_ any, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// batch makes patents and publishes them. Its topics are in the folder that is returned.
func (w *weekly) batch(first, patents, topics int) string {
	w.Helper()
	cfg := synth.Default()
	cfg.Out = filepath.Join(w.collections, fmt.Sprint(first))
	cfg.Seed, cfg.FirstPatent, cfg.Patents, cfg.Topics, cfg.DescriptionWords = 7, first, patents, topics, 40
	w.must(synth.Run(w.Context(), cfg))
	to := publish.Default()
	to.Workspace, to.Cluster, to.Paths = w.ws, w.cluster, []string{filepath.Join(cfg.Out, "collection")}
	w.must(publish.Run(w.Context(), to))
	return cfg.Out
}

// topics ingests the topics of a split of a batch as a set, with their golds.
func (w *weekly) topics(batch, split, set string) {
	w.Helper()
	cfg := topics.Default()
	cfg.Workspace, cfg.Path, cfg.Set, cfg.Split = w.ws, filepath.Join(batch, "topics-"+split), set, split
	w.must(topics.Run(w.Context(), cfg))
	w.golds(filepath.Join(batch, "qrels-"+split+".txt"), set)
}

func (w *weekly) golds(file, set string) {
	w.Helper()
	cfg := qrels.Default()
	cfg.Workspace, cfg.File, cfg.Set = w.ws, file, set
	w.must(qrels.Run(w.Context(), cfg))
}

// shuffled ingests golds that were given to other topics of the set, of another subclass.
func (w *weekly) shuffled(file, set string) {
	w.Helper()
	type topic struct{ id, subclass string }
	var all []topic
	w.must(nil, tables.Each(w.Context(), w.ws.Table("topics"), schemas.Topics, func(_ string, row *schemas.Topic) error {
		if row.Set == set {
			all = append(all, topic{strings.Clone(row.TopicID), strings.Clone(strings.Join(row.IPCSubclasses, " "))})
		}
		return nil
	}))
	slices.SortFunc(all, func(a, b topic) int { return strings.Compare(a.subclass+a.id, b.subclass+b.id) })
	other := map[string]string{}
	for i, one := range all {
		other[one.id] = all[(i+len(all)/2)%len(all)].id
	}
	data, err := os.ReadFile(file)
	w.must(nil, err)
	var text bytes.Buffer
	for line := range strings.Lines(string(data)) {
		id, rest, _ := strings.Cut(line, " ")
		fmt.Fprintf(&text, "%s %s", other[id], rest)
	}
	path := filepath.Join(w.collections, "shuffled-"+set+".txt")
	w.must(nil, os.WriteFile(path, text.Bytes(), 0o644))
	w.golds(path, set)
}

// retrain runs the shipped pipeline with a network that is learnt in seconds.
func (w *weekly) retrain(from string) (pipelines.Result, error) {
	w.Helper()
	return pipelines.Run(w.Context(), pipelines.Config{
		Workspace: w.ws, File: "retrain", Cluster: func(context.Context) (cluster.Config, error) { return w.cluster, nil },
		Set: []string{
			"from=" + from, "valid-share=0", "hits=200", "negatives=pool", "learning-rate=2e-3", "batch=32", "epochs=2", "max-tokens=48", "max-dead-share=0.05",
		},
	})
}

// ran are the steps that did something.
func ran(r pipelines.Result) []string {
	var names []string
	for _, s := range r.Steps {
		if s.Status != pipelines.Skipped {
			names = append(names, s.Step)
		}
	}
	return names
}

func (w *weekly) report() string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.ws.Table("reports"), "retrain", "report.md"))
	w.must(nil, err)
	return string(data)
}

func (w *weekly) current() string {
	w.Helper()
	version, err := w.ws.CurrentModel()
	w.must(nil, err)
	return version
}

// TestRetrain is three weeks: a first model, shuffled labels, which the gate must refuse, and the right ones again.
func TestRetrain(t *testing.T) {
	if testing.Short() {
		t.Skip("trains three models; left out by -short")
	}
	w := newWeekly(t)
	first := w.batch(1, 900, 150)
	for _, split := range []string{"train", "valid", "test"} {
		w.topics(first, split, split)
	}
	r, err := w.retrain("")
	if err != nil || w.current() != "v1" {
		t.Fatalf("first week: %v, current is %q", err, w.current())
	}
	if got := ran(r); len(got) != len(r.Steps)-1 {
		t.Errorf("first week: the steps %v were run, want all but publish", got)
	}
	w.nothingNew("first week", "", fault.Failed)
	if m, err := registry.Open(w.ws).Get("v1"); err != nil || m.Lineage.Pipeline != "retrain" || m.Lineage.PipelineRun != r.RunID || len(m.Lineage.Data) == 0 {
		t.Errorf("lineage of v1: %+v, %v", m.Lineage, err)
	}

	w.mixed()

	second := w.batch(901, 150, 25)
	w.topics(second, "train", "train-2")
	for set, file := range map[string]string{"train": first, "valid": first, "train-2": second} {
		split, _, _ := strings.Cut(set, "-")
		w.shuffled(filepath.Join(file, "qrels-"+split+".txt"), set)
	}
	r, err = w.retrain("")
	if fault.KindOf(err) != fault.GateRefused || w.current() != "v1" || r.Status != pipelines.Refused {
		t.Fatalf("second week: %v, %s, current is %q", err, r.Status, w.current())
	}
	if got := ran(r); !slices.Contains(got, "consume") || !slices.Contains(got, "index") || got[len(got)-1] != "report" {
		t.Errorf("second week: the steps %v were run", got)
	}
	if text := w.report(); !strings.Contains(text, "v2 was refused: PRES@100 is 0.") || !strings.Contains(text, "significant loss") || !strings.Contains(text, "| retrain-current |") {
		t.Errorf("the report does not say why:\n%s", text[:min(len(text), 2000)])
	}
	w.nothingNew("second week", "", fault.GateRefused)

	w.batch(1051, 150, 25)
	w.golds(filepath.Join(first, "qrels-train.txt"), "train")
	w.golds(filepath.Join(first, "qrels-valid.txt"), "valid")
	w.golds(filepath.Join(second, "qrels-train.txt"), "train-2")
	_, err = w.retrain(workspace.Current)
	m, ok := registry.Open(w.ws).Get("v3")
	if ok != nil || m.Baseline != "v1" || m.Lineage.Init != "v1" {
		t.Fatalf("third week: %v; %+v, %v", err, m, ok)
	}
	switch { // on its merits
	case m.Status == registry.Promoted && err == nil && w.current() == "v3":
	case m.Status == registry.Refused && fault.KindOf(err) == fault.GateRefused && w.current() == "v1":
	default:
		t.Fatalf("third week: %s by the gate, error %v, current is %s", m.Status, err, w.current())
	}
	w.nothingNew("third week", workspace.Current, fault.KindOf(err))

	if _, err := registry.Promote(w.ws, "v3", ""); err != nil {
		t.Fatal(err)
	}
	if moved, err := registry.Rollback(w.ws, "complaints"); err != nil || moved.Current != "v1" || w.current() != "v1" {
		t.Errorf("rollback: %+v, %v", moved, err)
	}
	w.nothingNew("after the rollback", workspace.Current, fault.KindOf(err))
	if w.current() != "v1" {
		t.Errorf("what was rolled back came back: %s", w.current())
	}
}

// mixed runs the shipped pipeline mix on the model of the week, twice.
func (w *weekly) mixed() {
	w.Helper()
	for _, want := range []string{pipelines.Done, pipelines.Skipped} {
		r, err := pipelines.Run(w.Context(), pipelines.Config{
			Workspace: w.ws, File: "mix", Cluster: func(context.Context) (cluster.Config, error) { return w.cluster, nil },
			Set: []string{"pool=retrain-bm25", "run=retrain", "depth=50"},
		})
		if err != nil {
			w.Fatal(err)
		}
		for _, s := range r.Steps {
			if s.Status != want {
				w.Errorf("mix: step %s is %s, want %s: %s %s", s.Step, s.Status, want, s.Reason, s.Error)
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(w.ws.Table("reports"), "retrain+retrain-bm25", "report.md"))
	w.must(nil, err)
	if !strings.Contains(string(data), "| retrain+retrain-bm25 |") {
		w.Errorf("the report does not show the mixed run:\n%s", data[:min(len(data), 2000)])
	}
}

// nothingNew runs the pipeline again: every step is skipped, and a refusal stays one.
func (w *weekly) nothingNew(when, from string, kind fault.Kind) {
	w.Helper()
	before := w.current()
	r, err := w.retrain(from)
	for _, s := range r.Steps {
		if s.Status != pipelines.Skipped && s.Status != pipelines.Refused {
			w.Errorf("%s, nothing new: step %s is %s: %s %s", when, s.Step, s.Status, s.Reason, s.Error)
		}
	}
	if fault.KindOf(err) != kind || (err == nil) != (kind == fault.Failed) || w.current() != before {
		w.Errorf("%s, nothing new: %v, current is %s and was %s", when, err, w.current(), before)
	}
	if all, err := registry.Open(w.ws).List(); err != nil || len(all) > 3 {
		w.Errorf("%s: %d versions, %v", when, len(all), err)
	}
}
