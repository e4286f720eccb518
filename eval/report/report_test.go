package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/eval/evaltest"
	"dssdnet/eval/report"
	"dssdnet/internal/fault"
)

// made is a report of a pool, a model with three seeds and another run, with two trainings.
func made(t *testing.T, topics int) (report.Config, report.Result) {
	t.Helper()
	w := evaltest.New(t, topics, 400, 150)
	c := report.Default()
	c.Workspace, c.Set, c.Pool, c.By, c.ExploreTopics = w.Dir, evaltest.Set, evaltest.PoolName, "AP@100", 12
	for seed := uint64(1); seed <= 3; seed++ {
		c.Runs = append(c.Runs, w.Rerank(t, fmt.Sprintf("dssdnet-seed%d", seed), 1.5, seed))
		dir := fmt.Sprintf("checkpoints/dssdnet/seed-%d/", seed)
		var lines strings.Builder
		for step := 1; step <= 900; step++ {
			fmt.Fprintf(&lines, `{"step":%d,"split":"train","loss":%g}`+"\n", step, 2/(1+float64(step)/100)+float64(step%7)/40+float64(seed)/20)
			if step%50 == 0 {
				fmt.Fprintf(&lines, `{"step":%d,"split":"valid","loss":%g,"accuracy":0.8}`+"\n", step, 2.1/(1+float64(step)/100))
			}
		}
		w.File(t, dir+"metrics.jsonl", lines.String()+`{"step":901,"spl`)
		w.File(t, dir+"best/trainer_state.json", fmt.Sprintf(`{"seed":%d,"train_sha256":"%064d","settings":{"batch":64,"learning-rate":2e-05}}`, seed, seed))
		w.File(t, dir+"best/config.json", `{"dssdnet":{"model":"dssdnet"}}`)
		w.File(t, dir+"best/model.safetensors", fmt.Sprint("weights ", seed))
	}
	c.Runs = append(c.Runs, w.Rerank(t, "bert", 0.4, 9))
	r, err := report.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

func TestReport(t *testing.T) {
	c, r := made(t, 40)
	if r.Explored != 12 || r.Topics != 40 || r.Runs != 5 || r.HTML != filepath.Join(c.Dir(), "report.html") {
		t.Errorf("%+v", r)
	}
	var d report.Data
	if err := json.Unmarshal(read(t, c, "report.json"), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Compare.Systems) != 3 || len(d.Curves.Values) != 2 || len(d.Curves.Values[0]) != 3 || len(d.Trainings) != 3 || len(d.Histograms) != 5 {
		t.Errorf("%d systems, curves %d, %d trainings, %d histograms", len(d.Compare.Systems), len(d.Curves.Values), len(d.Trainings), len(d.Histograms))
	}
	last := d.Curves.Values[0][0]
	if p := d.Eval.Pool; p == nil || last[len(last)-1]-p.Ceiling > 1e-5 || p.Ceiling-last[len(last)-1] > 1e-5 {
		t.Errorf("Recall@1000 of the pool is %v, its ceiling %+v", last[len(last)-1], p)
	}
	tr := d.Trainings[1]
	if tr.Name != "dssdnet/seed-2" || tr.Model != "dssdnet" || tr.Seed != 2 || len(tr.Train) != 300 || tr.Train[299].Step != 900 || len(tr.Valid) != 18 || len(tr.Weights) != 64 {
		t.Errorf("%s: %d training and %d validation losses, %+v", tr.Name, len(tr.Train), len(tr.Valid), tr.Settings)
	}
	for _, topic := range d.Explorer.Topics {
		checkExplored(t, d, topic)
	}
	histograms(t, d)
	if md := string(read(t, c, "report.md")); !strings.Contains(md, "| dssdnet |") || !strings.Contains(md, "| domain-subclass | out |") || !strings.Contains(md, "model dssdnet, seed 3") {
		t.Errorf("report.md:\n%s", md)
	}
	before := read(t, c, "report.html")
	if _, err := report.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, read(t, c, "report.html")) {
		t.Error("a second run changes the page")
	}
}

func checkExplored(t *testing.T, d report.Data, topic report.ExploredTopic) {
	t.Helper()
	golds := map[string][]int{}
	for _, g := range topic.Golds {
		golds[g.Patent] = g.Ranks
	}
	for s, ranking := range topic.Rankings {
		if len(ranking) != 20 {
			t.Errorf("%s: %d candidates", topic.ID, len(ranking))
		}
		for i, c := range ranking {
			ranks, gold := golds[c.Patent]
			if gold != (c.Grade > 0) || gold && ranks[s] != i+1 || s == 0 && c.Before != i+1 || c.Before == 0 || d.Explorer.Patents[c.Patent].Title == "" || c.Domain == "unknown" {
				t.Errorf("%s, system %d, rank %d: %+v", topic.ID, s, i+1, c)
			}
		}
	}
}

func histograms(t *testing.T, d report.Data) {
	t.Helper()
	for _, h := range d.Histograms {
		golds, all := 0, 0
		for i := range h.Gold {
			golds, all = golds+h.Gold[i], all+h.Gold[i]+h.Other[i]
		}
		if all != 40*150 || golds == 0 || golds > d.Eval.Golds || h.High <= h.Low {
			t.Errorf("%s: %d of %d scores are of golds, from %v to %v", h.Run, golds, all, h.Low, h.High)
		}
	}
}

func read(t *testing.T, c report.Config, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPageStandsAlone: nothing is fetched, and no text of a patent is markup.
func TestPageStandsAlone(t *testing.T) {
	c, _ := made(t, 5)
	page := string(read(t, c, "report.html"))
	for _, bad := range []string{"src=", "@import", "url(", "<b>bearing", "import("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	for _, link := range strings.Split(page, "href=")[1:] {
		if !strings.HasPrefix(link, `"#`) && !strings.HasPrefix(link, `"data:,"`) {
			t.Errorf("the page refers to %.60s", link)
		}
	}
	if rest := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""); strings.Contains(rest, "http://") || strings.Contains(rest, "https://") {
		t.Error("the page names a place on the network")
	}
	if !strings.Contains(page, `\u003cb\u003ebearing`) {
		t.Error("the data has no text with markup: the test has nothing to look for")
	}
}

func TestWithoutTablesOfTexts(t *testing.T) {
	w := evaltest.New(t, 4, 60, 20)
	c := report.Default()
	qrels := "1 0 a 1\n2 0 b 1\n"
	runs := "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n"
	c.Workspace, c.Qrels = w.Dir+"/other", w.File(t, "q.txt", qrels)
	c.Runs = []string{"one=" + w.File(t, "one.txt", runs), "two=" + w.File(t, "two.txt", strings.Replace(runs, "2 Q0 b 2 1", "2 Q0 b 2 3", 1))}
	if r, err := report.Run(t.Context(), c); err != nil || r.Explored != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRefusals(t *testing.T) {
	w := evaltest.New(t, 3, 60, 20)
	for name, test := range map[string]struct {
		change func(*report.Config)
		says   string
	}{
		"topics":   {func(c *report.Config) { c.ExploreTopics = -1 }, "--explore-topics"},
		"depth":    {func(c *report.Config) { c.ExploreDepth = 0 }, "--explore-depth"},
		"training": {func(c *report.Config) { c.Training = []string{"nowhere"} }, "--training"},
		"samples":  {func(c *report.Config) { c.Samples = 0 }, "--samples"},
	} {
		c := report.Default()
		c.Workspace, c.Set, c.Pool, c.Runs = w.Dir, evaltest.Set, evaltest.PoolName, []string{w.Rerank(t, "r", 1, 1)}
		test.change(&c)
		if _, err := report.Run(t.Context(), c); fault.KindOf(err) != fault.Usage || !strings.Contains(fmt.Sprint(err), test.says) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
