package eval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dssdnet/eval"
	"dssdnet/eval/evaltest"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// literal is a workspace with nothing in it, a qrels file and a run file.
func literal(t *testing.T, qrels, run string) eval.Config {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"q.txt": qrels, "run.txt": run} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := eval.Default()
	c.Workspace, c.Qrels, c.Runs = workspace.Dir(filepath.Join(dir, "ws")), filepath.Join(dir, "q.txt"), []string{filepath.Join(dir, "run.txt")}
	return c
}

func run(t *testing.T, c eval.Config) eval.Result {
	t.Helper()
	r, err := eval.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestMissingTopicsScoreZero: the average is over the topics of the qrels, not over those of the run.
func TestMissingTopicsScoreZero(t *testing.T) {
	c := literal(t, "1 0 a 1\n1 0 b 2\n2 0 a 1\n3 0 a 0\n", "1 Q0 b 1 2 t\n1 Q0 x 2 1 t\n1 Q0 a 3 0 t\n9 Q0 a 1 1 t\n3 Q0 a 1 1 t\n")
	r := run(t, c)
	all := r.Runs[0].All
	if all.Topics != 2 || all.Golds != 3 || r.Topics != 2 || r.Golds != 3 {
		t.Errorf("%+v", r)
	}
	near(t, "Recall@100", all.Values["Recall@100"], 0.5)
	near(t, "AP@100", all.Values["AP@100"], (1+2.0/3)/2/2)
	near(t, "reachable AP@100", r.Runs[0].Reachable.Values["AP@100"], (1+2.0/3)/2)
	if counts := r.Runs[0].Counts; counts.MissingTopics != 1 || counts.UnknownTopics != 2 || r.Qrels.TopicsWithoutGold != 1 || r.Runs[0].Reachable.Topics != 1 {
		t.Errorf("%+v, %+v", counts, r.Qrels)
	}
	if len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], "1 of 2 topics have no ranking and score 0") || r.Report != "q" {
		t.Errorf("report %s, warnings %q", r.Report, r.Warnings)
	}
}

// TestGradeTwo: with a higher rel, and in the slice of grade 2, topics without such golds are left out.
func TestGradeTwo(t *testing.T) {
	c := literal(t, "1 0 a 1\n1 0 b 2\n2 0 a 1\n", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n")
	c.Measures, c.Cutoffs = []string{"AP(rel=2)", "RR"}, []string{"10"}
	r := run(t, c)
	near(t, "AP(rel=2)@10", r.Runs[0].All.Values["AP(rel=2)@10"], 0.5)
	near(t, "RR@10", r.Runs[0].All.Values["RR@10"], 1)
	two := part(t, r.Runs[0], "grade", "2")
	if two.Topics != 1 || two.Golds != 1 || two.Dropped != 1 {
		t.Errorf("%+v", two)
	}
	near(t, "RR@10 of grade 2", two.Values["RR@10"], 0.5)
}

func part(t *testing.T, r eval.RunResult, slice, name string) eval.Part {
	t.Helper()
	for _, p := range r.Slices {
		if p.Slice == slice && p.Part == name {
			return p
		}
	}
	t.Fatalf("there is no part %s of slice %s", name, slice)
	return eval.Part{}
}

func TestTopicsWithAndWithoutKindCodes(t *testing.T) {
	c := literal(t, "EP-1000001-A2 0 a 1\nEP-1000002 0 a 1\nEP-1000003-A1 0 a 1\n",
		"EP-1000001 Q0 a 1 1 t\nEP-1000002-A1 Q0 a 1 1 t\nEP-1000003-A1 Q0 a 1 1 t\nEP-1000003-B1 Q0 x 1 1 t\n")
	r := run(t, c)
	near(t, "Recall@100", r.Runs[0].All.Values["Recall@100"], 1)
	if counts := r.Runs[0].Counts; counts.TopicsByPatent != 2 || counts.UnknownTopics != 1 || counts.MissingTopics != 0 {
		t.Errorf("%+v", counts)
	}
}

func TestCollapsedModel(t *testing.T) {
	c := literal(t, "1 0 a 1\n2 0 a 1\n", "1 Q0 a 1 0.5 t\n1 Q0 b 2 0.5 t\n2 Q0 a 1 1 t\n2 Q0 b 2 0 t\n")
	r := run(t, c)
	if r.Runs[0].Counts.CollapsedTopics != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "COLLAPSED: in 1 of 2 topics") {
		t.Errorf("%+v, %q", r.Runs[0].Counts, r.Warnings)
	}
	near(t, "RR@100", r.Runs[0].All.Values["RR@100"], 0.75) // b is before a: ids descend
}

func TestRefusals(t *testing.T) {
	const qrels, runs = "1 0 a 1\n", "1 Q0 a 1 1 t\n"
	for name, test := range map[string]struct {
		change func(*eval.Config)
		kind   fault.Kind
		says   string
	}{
		"no run":         {func(c *eval.Config) { c.Runs = nil }, fault.Usage, "--run FILE"},
		"no qrels":       {func(c *eval.Config) { c.Qrels = "" }, fault.Usage, "--set NAME or --qrels FILE"},
		"both":           {func(c *eval.Config) { c.Set = "x" }, fault.Usage, "choose one"},
		"set not there":  {func(c *eval.Config) { c.Qrels, c.Set = "", "2010" }, fault.Usage, `no qrels set "2010"`},
		"pool not there": {func(c *eval.Config) { c.Pool = "bm25" }, fault.Rejected, "there is no pool"},
		"measure":        {func(c *eval.Config) { c.Measures = []string{"P@10"} }, fault.Usage, `"P@10" is none of Recall`},
		"no measure":     {func(c *eval.Config) { c.Measures = nil }, fault.Usage, "names none"},
		"no cutoff":      {func(c *eval.Config) { c.Cutoffs = nil }, fault.Usage, "needs a cut-off"},
		"bad cutoff":     {func(c *eval.Config) { c.Cutoffs = []string{"0"} }, fault.Usage, `--cutoffs "0"`},
		"report":         {func(c *eval.Config) { c.Report = "../x" }, fault.Usage, "--report"},
		"same name":      {func(c *eval.Config) { c.Runs = append(c.Runs, c.Runs[0]) }, fault.Usage, "two runs have the name run"},
		"bad name":       {func(c *eval.Config) { c.Runs = []string{"a b.txt"} }, fault.Usage, "NAME="},
		"run not there":  {func(c *eval.Config) { c.Runs = []string{"x=nowhere.txt"} }, fault.Rejected, "nowhere.txt"},
		"other topics":   {func(c *eval.Config) { c.Runs = []string{write(t, "2 Q0 a 1 1 t\n")} }, fault.Rejected, "its first topic is 2, that of the qrels 1"},
		"NaN":            {func(c *eval.Config) { c.Runs = []string{write(t, "1 Q0 a 1 1 t\n1 Q0 b 1 nan t\n")} }, fault.Rejected, "r.txt:2: topic 1: the score of b is NaN"},
	} {
		c := literal(t, qrels, runs)
		test.change(&c)
		if _, err := eval.Run(t.Context(), c); fault.KindOf(err) != test.kind || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
		if _, err := os.Stat(c.Dir()); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.txt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func workspaceConfig(w *evaltest.Workspace, runs ...string) eval.Config {
	c := eval.Default()
	c.Workspace, c.Set, c.Pool, c.Runs = w.Dir, evaltest.Set, evaltest.PoolName, runs
	return c
}

// TestWorkspace evaluates a pool and two runs of it, and looks at every file.
func TestWorkspace(t *testing.T) {
	w := evaltest.New(t, 30, 300, 100)
	c := workspaceConfig(w, w.Rerank(t, "good", 3, 1), "noise="+w.Rerank(t, "other", 0, 2))
	r := run(t, c)
	if len(r.Runs) != 3 || r.Runs[0].Name != "bm25" || r.Runs[2].Name != "noise" || r.GoldsNotInPatents != 0 || len(r.Warnings) != 0 {
		t.Fatalf("%+v", r)
	}
	if good, noise := r.Runs[1].All.Values["AP@100"], r.Runs[2].All.Values["AP@100"]; good < 2*noise {
		t.Errorf("AP@100 of the good run is %v, of noise %v", good, noise)
	}
	// All of the pool is in the first 100: no order changes Recall, and the ceiling is Recall.
	near(t, "ceiling", r.Pool.Ceiling, r.Runs[1].All.Values["Recall@100"])
	near(t, "Recall of noise", r.Runs[2].All.Values["Recall@100"], r.Pool.Ceiling)
	if r.Runs[0].Reachable.Topics+r.Pool.TopicsWithoutGold != len(w.Topics) {
		t.Errorf("%d topics reachable, %d not", r.Runs[0].Reachable.Topics, r.Pool.TopicsWithoutGold)
	}

	path := filepath.Join(c.Dir(), "topics.parquet")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := schemas.ReadAll[schemas.Metric](schemas.Metrics, f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3*30*24 {
		t.Errorf("%d rows of metrics", len(rows))
	}
	sum, n := 0.0, 0.0
	for _, row := range rows {
		if row.Model == "good" && row.Measure == "PRES" && row.Cutoff == 200 && row.Pool == "bm25" {
			sum, n = sum+row.Value, n+1
		}
	}
	near(t, "PRES@200 from the table", sum/n, r.Runs[1].All.Values["PRES@200"])

	var stored eval.Result
	data := read(t, c, "eval.json")
	if err := json.Unmarshal(data, &stored); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, stored, cmpopts.IgnoreFields(eval.Result{}, "Seconds")); diff != "" {
		t.Error(diff)
	}
	if text := string(read(t, c, "perquery.csv")); !strings.HasPrefix(text, "name,qid,measure,value\nbm25,EP-3000000-A1,Recall@100,") || strings.Count(text, "\n") != 1+len(rows) {
		t.Errorf("perquery.csv begins %.100q", text)
	}
	if text := string(read(t, c, "aggregated.csv")); strings.Count(text, "\n") != 4 || !strings.HasPrefix(text, "name,Recall@100,Recall@200,Recall@400,PRES@100") {
		t.Errorf("aggregated.csv begins %.100q", text)
	}
	if m, err := manifest.Load(w.Manifests(), "eval", "test"); err != nil || len(m.Inputs) != 4 {
		t.Errorf("manifest %+v, %v", m.Inputs, err)
	}
	var shown bytes.Buffer
	if err := r.WriteTable(&shown); err != nil || !strings.Contains(shown.String(), "PRES@400") || !strings.Contains(shown.String(), "domain-ipc3 out") {
		t.Errorf("%v\n%s", err, &shown)
	}
	t.Logf("%s", &shown)

	before := read(t, c, "eval.json")
	run(t, c)
	if !bytes.Equal(before, read(t, c, "eval.json")) {
		t.Error("a second run changes eval.json")
	}
}

func read(t *testing.T, c eval.Config, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSlicesDivide: the parts of a slice of golds have all golds, each once, and dropped topics are the others.
func TestSlicesDivide(t *testing.T) {
	w := evaltest.New(t, 40, 300, 60)
	r := run(t, workspaceConfig(w))
	golds, parts := map[string]int{}, map[string]int{}
	for _, p := range r.Runs[0].Slices {
		golds[p.Slice] += p.Golds
		parts[p.Slice]++
		if p.Topics+p.Dropped > r.Topics || p.Topics == 0 {
			t.Errorf("%s %s: %d topics and %d dropped", p.Slice, p.Part, p.Topics, p.Dropped)
		}
	}
	for _, name := range []string{"domain-subclass", "domain-class", "domain-ipc3", "domain-section", "grade", "language", "golds", "ceiling"} {
		if golds[name] != r.Golds || parts[name] < 2 {
			t.Errorf("slice %s has %d parts with %d of %d golds", name, parts[name], golds[name], r.Golds)
		}
	}
	if parts["broken"] != 0 || parts["ipc-section"] < 5 {
		t.Errorf("parts %v", parts)
	}
	in, out := part(t, r.Runs[0], "domain-subclass", "in"), part(t, r.Runs[0], "domain-class", "in")
	if in.Golds >= out.Golds {
		t.Errorf("%d golds share a subclass, %d a class", in.Golds, out.Golds)
	}
}

// TestDomainSliceByHand counts the golds of a slice and the ranks that they have in the whole ranking.
func TestDomainSliceByHand(t *testing.T) {
	w := evaltest.New(t, 25, 200, 60)
	c := workspaceConfig(w)
	c.Cutoffs = []string{"20"}
	got := part(t, run(t, c).Runs[0], "domain-ipc3", "out")
	var recalls []float64
	golds := 0
	for _, topic := range w.Topics {
		n, found := 0, 0
		for _, q := range w.Qrels {
			if q.TopicID != topic.TopicID || shares(topic.IPCSubclasses, w.IPC[q.PatentID], 3) {
				continue
			}
			n++
			for _, candidate := range w.Pool[topic.TopicID][:20] {
				if candidate.PatentID == q.PatentID {
					found++
				}
			}
		}
		if n > 0 {
			recalls = append(recalls, float64(found)/float64(n))
			golds += n
		}
	}
	if got.Topics != len(recalls) || got.Golds != golds || got.Dropped != len(w.Topics)-len(recalls) {
		t.Errorf("%d topics, %d golds, %d dropped; by hand %d and %d", got.Topics, got.Golds, got.Dropped, len(recalls), golds)
	}
	sum := 0.0
	for _, recall := range recalls {
		sum += recall
	}
	near(t, "Recall@20 of out", got.Values["Recall@20"], sum/float64(len(recalls)))
}

func shares(a, b []string, n int) bool {
	for _, x := range a {
		for _, y := range b {
			if x[:n] == y[:n] {
				return true
			}
		}
	}
	return false
}

func TestRunOfAnotherPool(t *testing.T) {
	w := evaltest.New(t, 5, 300, 50)
	var text strings.Builder
	for i, topic := range w.Topics {
		for rank := range 10 {
			id := fmt.Sprintf("EP-%07d", 7000000+rank)
			if rank < 3+i {
				id = w.Pool[topic.TopicID][rank].PatentID
			}
			fmt.Fprintf(&text, "%s Q0 %s %d %d x\n", topic.TopicID, id, rank, -rank)
		}
	}
	c := workspaceConfig(w, w.File(t, "mixed.txt", text.String()))
	r := run(t, c)
	if counts := r.Runs[1].Counts; counts.OutsidePool != 25 || counts.UnknownPatents != 25 || len(r.Warnings) != 2 {
		t.Errorf("%+v, %q", counts, r.Warnings)
	}
	foreign := strings.ReplaceAll(text.String(), "EP-1", "EP-8")
	c.Runs = []string{w.File(t, "foreign.txt", foreign)}
	if _, err := eval.Run(t.Context(), c); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "foreign.txt is of another pool than bm25: 50 of its 50 rows") {
		t.Errorf("error %v", err)
	}
}

// TestOrderOfTopicsMeansNothing: the same lines in another order give the same figures, to the bit.
func TestOrderOfTopicsMeansNothing(t *testing.T) {
	w := evaltest.New(t, 12, 200, 40)
	path := w.Rerank(t, "r", 1, 3)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(data))+"\n", "\n")
	lines = lines[:len(lines)-1]
	var turned strings.Builder
	for i := range lines {
		turned.WriteString(lines[(i*7+3)%len(lines)])
	}
	c := workspaceConfig(w, "a="+path, "b="+w.File(t, "turned.txt", turned.String()))
	r := run(t, c)
	if diff := cmp.Diff(r.Runs[1].All, r.Runs[2].All); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(r.Runs[1].Slices, r.Runs[2].Slices); diff != "" {
		t.Error(diff)
	}
}
