package weigh_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/eval"
	"dssdnet/eval/evaltest"
	"dssdnet/eval/interpolate"
	"dssdnet/eval/weigh"
	"dssdnet/internal/fault"
)

// measured are the averages of run files, under the names that are given.
func measured(t *testing.T, w *evaltest.Workspace, runs ...string) map[string]map[string]float64 {
	t.Helper()
	c := eval.Default()
	c.Workspace, c.Set, c.Pool, c.Runs, c.Report = w.Dir, evaltest.Set, evaltest.PoolName, runs, "check"
	result, err := eval.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]map[string]float64{}
	for _, run := range result.Runs {
		values[run.Name] = run.All.Values
	}
	return values
}

// TestWeights compares every step with what eval says of the run that eval interpolate makes of it, two seeds on average.
func TestWeights(t *testing.T) {
	w := evaltest.New(t, 24, 400, 120)
	c := weigh.Default()
	c.Workspace, c.Set, c.Pool, c.Steps, c.Depth = w.Dir, evaltest.Set, evaltest.PoolName, 4, 60
	c.Measures = []string{"AP@100", "PRES@100"}
	c.Models = []string{w.Rerank(t, "m-s1", 0.6, 1), w.Rerank(t, "m-s2", 0.6, 2)}
	r, err := weigh.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Weights) != 5 || r.Topics != 24 || r.Unmatched != 0 || r.By != "AP@100" {
		t.Errorf("%+v", r)
	}
	best := 0.0
	for _, step := range r.Weights {
		var runs []string
		for i, model := range c.Models {
			m := interpolate.Default()
			m.Workspace, m.Pool, m.Model, m.Weight, m.Depth, m.Run = w.Dir, c.Pool, model, step.Weight, c.Depth, []string{"a", "b"}[i]
			mixed, err := interpolate.Run(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, mixed.File)
		}
		values := measured(t, w, runs...)
		for _, name := range r.Measures {
			if want := (values["a"][name] + values["b"][name]) / 2; math.Abs(step.Values[name]-want) > 1e-12 {
				t.Errorf("%s at weight %v: %v, want %v", name, step.Weight, step.Values[name], want)
			}
		}
		best = max(best, step.Values["AP@100"])
	}
	if pool := measured(t, w)[evaltest.PoolName]["AP@100"]; math.Abs(r.Weights[0].Values["AP@100"]-pool) > 1e-12 || best <= pool {
		t.Errorf("weight 0 is %v, the pool %v, the best %v", r.Weights[0].Values, pool, best)
	}
	if r.Chosen.Values["AP@100"] != best {
		t.Errorf("chosen is %+v, the best has %v", r.Chosen, best)
	}

	m := interpolate.Default()
	m.Workspace, m.Pool, m.Model, m.Weights, m.Run = w.Dir, c.Pool, c.Models[0], r.File, "chosen"
	mixed, err := interpolate.Run(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	m.Weights, m.Weight, m.Depth, m.Run = "", r.Chosen.Weight, c.Depth, "by-hand"
	byHand, err := interpolate.Run(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if values := measured(t, w, mixed.File, byHand.File); !cmp.Equal(values["chosen"], values["by-hand"]) || mixed.Weight != r.Chosen.Weight {
		t.Errorf("with --weights %v, with the same by hand %v", values["chosen"], values["by-hand"])
	}

	data, err := os.ReadFile(filepath.Join(w.Table("reports"), evaltest.Set, "weights.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept weigh.Result
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	kept.File = r.File
	if diff := cmp.Diff(r, kept); diff != "" {
		t.Errorf("weights.json (- result, + file):\n%s", diff)
	}
}

// TestUselessModel: nothing is gained by a model whose every score is the same, and the pool is chosen.
func TestUselessModel(t *testing.T) {
	w := evaltest.New(t, 6, 100, 30)
	var lines strings.Builder
	for _, topic := range w.Topics {
		for _, row := range w.Pool[topic.TopicID] {
			lines.WriteString(topic.TopicID + " Q0 " + row.PatentID + " 1 0 m\n")
		}
	}
	c := weigh.Default()
	c.Workspace, c.Set, c.Pool, c.Models = w.Dir, evaltest.Set, evaltest.PoolName, []string{w.File(t, "m.txt", lines.String())}
	r, err := weigh.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Chosen.Weight != 0 {
		t.Errorf("chosen: %+v", r.Chosen)
	}
}

func TestRefusals(t *testing.T) {
	w := evaltest.New(t, 2, 40, 10)
	good := func() weigh.Config {
		c := weigh.Default()
		c.Workspace, c.Set, c.Pool, c.Models = w.Dir, evaltest.Set, evaltest.PoolName, []string{w.Rerank(t, "m", 1, 1)}
		return c
	}
	for name, test := range map[string]struct {
		change func(*weigh.Config)
		kind   fault.Kind
		says   string
	}{
		"no model":       {func(c *weigh.Config) { c.Models = nil }, fault.Usage, "no run"},
		"no set":         {func(c *weigh.Config) { c.Set = "" }, fault.Usage, "--set"},
		"no pool":        {func(c *weigh.Config) { c.Pool = "" }, fault.Usage, "--pool"},
		"no steps":       {func(c *weigh.Config) { c.Steps = 0 }, fault.Usage, "--steps"},
		"depth":          {func(c *weigh.Config) { c.Depth = -1 }, fault.Usage, "--depth"},
		"measure":        {func(c *weigh.Config) { c.Measures = []string{"Beauty@3"} }, fault.Usage, "Beauty"},
		"unknown pool":   {func(c *weigh.Config) { c.Pool = "other" }, fault.Rejected, "there is no pool"},
		"other topics":   {func(c *weigh.Config) { c.Models = []string{w.File(t, "x.txt", "PAC-9 Q0 EP-1000001 1 2 m\n")} }, fault.Rejected, "PAC-9 is not in pool"},
		"a broken score": {func(c *weigh.Config) { c.Models = []string{w.File(t, "y.txt", "PAC-9 Q0 EP-1000001 1 x m\n")} }, fault.Rejected, "not a number"},
	} {
		c := good()
		test.change(&c)
		_, err := weigh.Run(t.Context(), c)
		if fault.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want kind %v and %q", name, err, test.kind, test.says)
		}
	}
}
