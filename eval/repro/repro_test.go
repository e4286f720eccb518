package repro

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/evaltest"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// reproduction writes a matrix beside a workspace whose commands are played by exec.
func reproduction(t *testing.T, matrix string, exec func(args []string) error) (Config, *[]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.yaml")
	if err := os.WriteFile(path, []byte(matrix), 0o644); err != nil {
		t.Fatal(err)
	}
	var ran []string
	c := Default()
	c.Workspace, c.File = workspace.Dir(t.TempDir()), path
	c.Exec = func(_ context.Context, args []string) error {
		ran = append(ran, strings.Join(args, "|"))
		if exec == nil {
			return nil
		}
		return exec(args)
	}
	return c, &ran
}

const small = `
version: 1
about: two steps
vars: {size: "7", there: /}
conditions:
  - name: tables
    requires: ["${there}"]
    commands:
      - dssdnet synth ${workspace}/out --patents ${size}
      - dssdnet query "SELECT 1"
    expect:
      - {file: count.json, at: result.rows.1, value: 100, tolerance: 0}
      - {file: count.json, at: mean, value: 0.5, tolerance: 0.01}
      - {file: count.json, at: mean, value: 0.5, tolerance: 0.2}
  - name: other
    needs: [tables]
    commands: [dssdnet other]
  - name: apart
    commands: [dssdnet apart]
`

func TestVerdicts(t *testing.T) {
	c, ran := reproduction(t, small, nil)
	put(t, c.Workspace, "count.json", `{"result": {"rows": [1, 100]}, "mean": 0.55}`)
	r, err := Run(t.Context(), c)
	if err != nil || r.OK != 2 || r.OKish != 1 || r.Fail != 0 || r.Conditions[0].Verdict != OKish || r.Conditions[1].Verdict != OK {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := []string{"synth|" + string(c.Workspace) + "/out|--patents|7", "query|SELECT 1", "other", "apart"}; !slices.Equal(*ran, want) {
		t.Errorf("ran %q", *ran)
	}
	put(t, c.Workspace, "count.json", `{"result": {"rows": [1, 99]}, "mean": 0.7}`)
	r, err = Run(t.Context(), c)
	if fault.KindOf(err) != fault.GateRefused || !strings.Contains(err.Error(), "count.json result.rows.1 is 99, want 100") || r.Fail != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	var shown bytes.Buffer
	if err := r.WriteTable(&shown); err != nil || !strings.Contains(shown.String(), "[FAIL]  count.json mean") || !strings.Contains(shown.String(), "0.7000  want 0.5000") {
		t.Errorf("%v\n%s", err, &shown)
	}
	page, err := os.ReadFile(filepath.Join(c.Workspace.Table("reports"), "repro-small.md"))
	if err != nil || !strings.Contains(string(page), "| count.json mean | 0.5000 | 0.7000 | FAIL |") {
		t.Errorf("%v\n%s", err, page)
	}
}

func put(t *testing.T, ws workspace.Dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(string(ws), name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFailedCommandEndsWhatNeedsIt(t *testing.T) {
	c, ran := reproduction(t, small, func(args []string) error {
		if args[0] == "query" {
			return errors.New("exit status 2")
		}
		return nil
	})
	r, err := Run(t.Context(), c)
	if fault.KindOf(err) != fault.GateRefused || r.Fail != 1 || r.Skipped != 1 || r.Conditions[2].Verdict != OK {
		t.Errorf("%+v, %v", r, err)
	}
	if slices.Contains(*ran, "other") || !slices.Contains(*ran, "apart") {
		t.Errorf("ran %q", *ran)
	}
}

func TestWhatIsRun(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		ran    int
		counts [4]int // OK, OKish, Fail, Skipped
	}{
		"dry run":         {func(c *Config) { c.DryRun = true }, 0, [4]int{0, 0, 0, 3}},
		"skip run":        {func(c *Config) { c.SkipRun = true }, 0, [4]int{2, 1, 0, 0}},
		"one":             {func(c *Config) { c.Conditions = []string{"apart"} }, 1, [4]int{0, 0, 0, 0}},
		"with its needs":  {func(c *Config) { c.Conditions = []string{"other"} }, 3, [4]int{2, 1, 0, 0}},
		"without a file":  {func(c *Config) { c.Set = []string{"there=/nowhere"} }, 1, [4]int{0, 0, 0, 2}},
		"with a variable": {func(c *Config) { c.Set = []string{"size=9"} }, 4, [4]int{2, 1, 0, 0}},
	} {
		c, ran := reproduction(t, small, nil)
		put(t, c.Workspace, "count.json", `{"result": {"rows": [1, 100]}, "mean": 0.55}`)
		test.change(&c)
		r, err := Run(t.Context(), c)
		if err != nil || len(*ran) != test.ran || [4]int{r.OK, r.OKish, r.Fail, r.Skipped} != test.counts {
			t.Errorf("%s: ran %q, %+v, %v", name, *ran, r, err)
		}
	}
}

// TestFiguresOfReports reads what eval and compare write.
func TestFiguresOfReports(t *testing.T) {
	w := evaltest.New(t, 20, 200, 60)
	runs := []string{w.Rerank(t, "m-seed1", 2, 1), w.Rerank(t, "m-seed2", 2, 2)}
	cfg := compare.Default()
	cfg.Workspace, cfg.Set, cfg.Pool, cfg.Runs = w.Dir, evaltest.Set, evaltest.PoolName, runs
	compared, err := compare.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	single := eval.Default()
	single.Workspace, single.Set, single.Pool = w.Dir, evaltest.Set, evaltest.PoolName
	evaluated, err := eval.Run(t.Context(), single)
	if err != nil {
		t.Fatal(err)
	}
	var part eval.Part
	for _, p := range evaluated.Runs[0].Slices {
		if p.Slice == "domain-ipc3" && p.Part == "out" {
			part = p
		}
	}
	c, _ := reproduction(t, fmt.Sprintf(`
version: 1
conditions:
  - name: all
    commands: [dssdnet eval]
    expect:
      - {report: test, run: bm25, measure: PRES@100, value: %v}
      - {report: test, run: bm25, slice: domain-ipc3 out, measure: PRES@100, value: %v}
      - {report: test, system: m, measure: AP@100, value: %v}
      - {file: manifests/eval.test.json, at: result.topics, value: 20}
      - {report: test, run: nobody, measure: AP@100, value: 0}
      - {report: test, run: bm25, measure: AP@7, value: 0}
      - {report: none, run: bm25, measure: AP@100, value: 0}
      - {report: none, system: m, measure: AP@100, value: 0}
      - {file: manifests/eval.test.json, at: result.runs.x, value: 0}
`, evaluated.Runs[0].All.Values["PRES@100"], part.Values["PRES@100"], scoreOf(compared, "AP@100")), nil)
	c.Workspace = w.Dir
	r, err := Run(t.Context(), c)
	if fault.KindOf(err) != fault.GateRefused || r.OK != 4 || r.Fail != 5 {
		t.Errorf("%+v, %v", r, err)
	}
}

func scoreOf(r compare.Result, measure string) float64 {
	for _, s := range r.Systems[1].Scores {
		if s.Measure == measure {
			return s.Mean
		}
	}
	return -1
}

func TestBadMatrices(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"version":       {"version: 2\nconditions: [{name: a}]\n", "version is 2"},
		"empty":         {"version: 1\n", "no conditions"},
		"unknown key":   {"version: 1\nconditions: [{name: a, comands: [x]}]\n", "comands"},
		"no name":       {"version: 1\nconditions: [{}]\n", "no name of its own"},
		"same name":     {"version: 1\nconditions: [{name: a}, {name: a}]\n", "no name of its own"},
		"later need":    {"version: 1\nconditions: [{name: a, needs: [b]}, {name: b}]\n", `needs "b"`},
		"other program": {"version: 1\nconditions: [{name: a, commands: [rm -rf x]}]\n", "only commands of dssdnet"},
		"quote":         {"version: 1\nconditions: [{name: a, commands: [dssdnet query 'x]}]\n", "not closed"},
		"variable":      {"version: 1\nconditions: [{name: a, commands: ['dssdnet query ${x}']}]\n", `vars has no "x"`},
		"figure":        {"version: 1\nconditions: [{name: a, expect: [{report: x, value: 1}]}]\n", "want report, measure"},
		"both":          {"version: 1\nconditions: [{name: a, expect: [{report: x, run: r, measure: m, file: f, at: g, value: 1}]}]\n", "want report, measure"},
		"outside":       {"version: 1\nconditions: [{name: a, expect: [{file: ../f, at: g, value: 1}]}]\n", "want report, measure"},
		"tolerance":     {"version: 1\nconditions: [{name: a, expect: [{file: f, at: g, value: 1, tolerance: 0.1, okish: 0.01}]}]\n", "tolerance"},
		"no yaml":       {"{", "small.yaml"},
	} {
		c, ran := reproduction(t, test.text, nil)
		if _, err := Run(t.Context(), c); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.says) || len(*ran) > 0 {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
	}
	for name, change := range map[string]func(*Config){
		"file":      func(c *Config) { c.File = "" },
		"not there": func(c *Config) { c.File = "nowhere.yaml" },
		"condition": func(c *Config) { c.Conditions = []string{"x"} },
		"set":       func(c *Config) { c.Set = []string{"x=1"} },
		"both":      func(c *Config) { c.DryRun, c.SkipRun = true, true },
	} {
		c, _ := reproduction(t, small, nil)
		change(&c)
		if _, err := Run(t.Context(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestSplitKeepsQuotedWords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-z "=/]{0,8}`)).Draw(rt, "words")
		var command []string
		for _, w := range words {
			command = append(command, "'"+w+"'")
		}
		got, err := split(strings.Join(command, "  "))
		if err != nil || !slices.Equal(got, words) {
			rt.Fatalf("%q became %q, %v", words, got, err)
		}
	})
}

// TestShippedMatrices loads the matrices that come with the program.
func TestShippedMatrices(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("matrices", "*.yaml"))
	if err != nil || len(paths) < 2 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		m, err := Load(path, "work", nil)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range m.Conditions {
			if len(c.Expect) == 0 {
				t.Errorf("%s: condition %s expects nothing", path, c.Name)
			}
		}
	}
}
