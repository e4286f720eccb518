package compare_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dssdnet/eval/compare"
	"dssdnet/eval/evaltest"
	"dssdnet/internal/fault"
)

func config(w *evaltest.Workspace, runs ...string) compare.Config {
	c := compare.Default()
	c.Workspace, c.Set, c.Pool, c.Runs = w.Dir, evaltest.Set, evaltest.PoolName, runs
	return c
}

func TestCompare(t *testing.T) {
	w := evaltest.New(t, 40, 300, 150)
	c := config(w, w.Rerank(t, "good-seed1", 4, 1), w.Rerank(t, "noise", 0, 9), w.Rerank(t, "good-seed2", 4, 2), w.Rerank(t, "good-seed3", 4, 3))
	c.By = "AP@100"
	r, err := compare.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Baseline != "bm25" || len(r.Systems) != 3 || r.Systems[1].Name != "good" || len(r.Systems[1].Runs) != 3 || r.Systems[2].Name != "noise" {
		t.Fatalf("%+v", r)
	}
	base, good, noise := score(t, r, 0), score(t, r, 1), score(t, r, 2)
	if base.Test != nil || base.Deviation != nil || good.Deviation == nil || *good.Deviation <= 0 || noise.Deviation != nil {
		t.Errorf("%+v, %+v, %+v", base, good, noise)
	}
	if math.Abs(good.Mean-base.Mean-good.Test.Difference) > 1e-9 || good.Test.Wins+good.Test.Losses+good.Test.Ties != 40 {
		t.Errorf("%+v", good.Test)
	}
	if good.Test.Holm > 0.001 || good.Test.Stars() != "**" || good.Test.Low <= 0 || noise.Test.Holm < 0.05 || noise.Test.Stars() != "" {
		t.Errorf("good %+v, noise %+v", good.Test, noise.Test)
	}
	gains := r.Systems[1].Gains
	if len(gains) != c.Top || gains[0].Title == "" || gains[0].Golds[0].Title == "" || gains[0].System-gains[0].Baseline < gains[1].System-gains[1].Baseline {
		t.Errorf("%+v", gains)
	}
	var shown bytes.Buffer
	if err := r.WriteTable(&shown); err != nil || !strings.Contains(shown.String(), "biggest gains of good by AP@100") {
		t.Errorf("%v\n%s", err, &shown)
	}
	t.Logf("%s", &shown)
	var stored compare.Result
	data, err := os.ReadFile(filepath.Join(c.Dir(), "compare.json"))
	if err != nil || json.Unmarshal(data, &stored) != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, stored, cmpopts.IgnoreFields(compare.Result{}, "Seconds"), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}

	// The other systems and the cores change nothing but Holm's correction.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c.Runs = []string{c.Runs[1]}
	alone, err := compare.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(noise, score(t, alone, 1), cmpopts.IgnoreFields(compare.Test{}, "Holm")); diff != "" {
		t.Error(diff)
	}
}

func score(t *testing.T, r compare.Result, system int) compare.Score {
	t.Helper()
	for _, s := range r.Systems[system].Scores {
		if s.Measure == "AP@100" {
			return s
		}
	}
	t.Fatal("AP@100 is missing")
	return compare.Score{}
}

func TestRefusals(t *testing.T) {
	w := evaltest.New(t, 3, 50, 20)
	run := w.Rerank(t, "r", 0, 1)
	for name, test := range map[string]struct {
		change func(*compare.Config)
		says   string
	}{
		"baseline":   {func(c *compare.Config) { c.Baseline = "x" }, `--baseline "x" is none of the runs: bm25, r`},
		"one run":    {func(c *compare.Config) { c.Pool = "" }, "there is only r"},
		"by":         {func(c *compare.Config) { c.By = "AP@7" }, "--by: AP@7 is not measured"},
		"by nothing": {func(c *compare.Config) { c.By = "x" }, "--by: "},
		"samples":    {func(c *compare.Config) { c.Samples = 0 }, "--samples"},
		"resamples":  {func(c *compare.Config) { c.Resamples = 0 }, "--resamples"},
		"confidence": {func(c *compare.Config) { c.Confidence = 95 }, "--confidence"},
		"top":        {func(c *compare.Config) { c.Top = -1 }, "--top"},
		"runs":       {func(c *compare.Config) { c.Runs, c.Pool = nil, "" }, "nothing to score"},
	} {
		c := config(w, run)
		test.change(&c)
		if _, err := compare.Run(t.Context(), c); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
	}
}
