package interpolate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dssdnet/eval"
	"dssdnet/eval/evaltest"
	"dssdnet/eval/interpolate"
	"dssdnet/eval/trec"
	"dssdnet/internal/fault"
)

func mixed(t *testing.T, c interpolate.Config) (*trec.Run, interpolate.Result) {
	t.Helper()
	r, err := interpolate.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	run, err := trec.ReadRun(t.Context(), r.File, trec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run, r
}

func shown(ranking []trec.Candidate) string {
	var all []string
	for _, c := range ranking {
		all = append(all, fmt.Sprintf("%s %.3f", c.ID, c.Score))
	}
	return strings.Join(all, ", ")
}

// TestByHand: scores 0, 5, 10 and 1, 2, 4 from 0 to 1 are 0, 0.5, 1 and 0, 0.333, 1.
func TestByHand(t *testing.T) {
	w := evaltest.New(t, 1, 20, 5)
	c := interpolate.Default()
	c.Workspace, c.Run, c.Scale, c.Weight = w.Dir, "mix", "minmax", 0.75
	c.Model = w.File(t, "model.txt", "1 Q0 a 1 10 m\n1 Q0 b 2 5 m\n1 Q0 c 3 0 m\n2 Q0 x 1 7 m\n3 Q0 a 1 2 m\n3 Q0 b 2 2 m\n")
	c.Base = w.File(t, "base.txt", "1 Q0 c 1 4 m\n1 Q0 b 2 2 m\n1 Q0 d 3 1 m\n4 Q0 y 1 1 m\n3 Q0 a 1 1 m\n3 Q0 b 2 5 m\n")
	run, r := mixed(t, c)
	for topic, want := range map[string]string{
		"1": "a 0.750, b 0.458, c 0.250, d 0.000", "2": "x 7.000", "3": "b 0.250, a 0.000", "4": "y 1.000",
	} {
		if got := shown(run.Ranking(topic)); got != want {
			t.Errorf("topic %s: %s, want %s", topic, got, want)
		}
	}
	if r.Topics != 2 || r.OnlyOne != 2 || r.Unmatched != 2 || r.Rows != 8 {
		t.Errorf("%+v", r)
	}
}

// TestDepth mixes the two best of the base: minmax of 0, 10 and 4, 2 there. What is behind keeps its order, whatever the
// model says of it, and lies below.
func TestDepth(t *testing.T) {
	w := evaltest.New(t, 1, 20, 5)
	c := interpolate.Default()
	c.Workspace, c.Run, c.Scale, c.Weight, c.Depth = w.Dir, "mix", "minmax", 0.75, 2
	c.Model = w.File(t, "model.txt", "1 Q0 d 1 90 m\n1 Q0 b 2 10 m\n1 Q0 c 3 0 m\n2 Q0 y 1 1 m\n")
	c.Base = w.File(t, "base.txt", "1 Q0 c 1 4 m\n1 Q0 b 2 2 m\n1 Q0 e 3 1 m\n1 Q0 d 4 0.5 m\n2 Q0 x 1 3 m\n2 Q0 z 2 2 m\n2 Q0 y 3 1 m\n")
	run, r := mixed(t, c)
	for topic, want := range map[string]string{"1": "b 0.750, c 0.250, e 0.250, d 0.250", "2": "x 0.250, z 0.000, y -0.000"} {
		if got := shown(run.Ranking(topic)); got != want {
			t.Errorf("topic %s: %s, want %s", topic, got, want)
		}
	}
	if r.Unmatched != 2 || r.Rows != 7 { // the model scored x and z not
		t.Errorf("%+v", r)
	}
}

// TestEndsOfTheWeight: weight 1 is the model's order, 0 the pool's.
func TestEndsOfTheWeight(t *testing.T) {
	w := evaltest.New(t, 10, 200, 50)
	c := interpolate.Default()
	c.Workspace, c.Pool, c.Model = w.Dir, evaltest.PoolName, w.Rerank(t, "model", 1, 1)
	values := map[string]float64{}
	for name, weight := range map[string]float64{"one": 1, "zero": 0, "half": 0.5} {
		c.Run, c.Weight = name, weight
		_, r := mixed(t, c)
		cfg := eval.Default()
		cfg.Workspace, cfg.Set, cfg.Pool, cfg.Runs = w.Dir, evaltest.Set, evaltest.PoolName, []string{name + "=" + r.File, c.Model}
		result, err := eval.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range result.Runs {
			values[run.Name] = run.All.Values["AP@100"]
		}
	}
	if math.Abs(values["one"]-values["model"]) > 1e-9 || math.Abs(values["zero"]-values["bm25"]) > 1e-9 || values["half"] == values["one"] {
		t.Errorf("%v", values)
	}
}

func TestRefusals(t *testing.T) {
	w := evaltest.New(t, 1, 20, 5)
	for name, change := range map[string]func(*interpolate.Config){
		"model":  func(c *interpolate.Config) { c.Model = "" },
		"both":   func(c *interpolate.Config) { c.Base = "x" },
		"none":   func(c *interpolate.Config) { c.Pool = "" },
		"run":    func(c *interpolate.Config) { c.Run = "a/b" },
		"weight": func(c *interpolate.Config) { c.Weight = math.NaN() },
		"scale":  func(c *interpolate.Config) { c.Scale = "log" },
		"depth":  func(c *interpolate.Config) { c.Depth = -1 },
	} {
		c := interpolate.Default()
		c.Workspace, c.Pool, c.Run, c.Model = w.Dir, evaltest.PoolName, "mix", "m.txt"
		change(&c)
		if _, err := interpolate.Run(t.Context(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestBadWeights(t *testing.T) {
	w := evaltest.New(t, 1, 20, 5)
	for name, text := range map[string]string{
		"no JSON":       "weight 0.3",
		"another JSON":  `{"runs": []}`,
		"other pool":    `{"pool": "other", "scale": "z", "chosen": {"weight": 0.3}}`,
		"weight":        `{"pool": "bm25", "scale": "z", "chosen": {"weight": 3}}`,
		"unknown scale": `{"pool": "bm25", "scale": "log", "chosen": {"weight": 0.3}}`,
	} {
		c := interpolate.Default()
		c.Workspace, c.Pool, c.Run, c.Model, c.Weights = w.Dir, evaltest.PoolName, "mix", w.Rerank(t, "model", 1, 1), w.File(t, "weights.json", text)
		if _, err := interpolate.Run(t.Context(), c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
