package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/eval/compare"
	"dssdnet/eval/evaltest"
	"dssdnet/eval/report"
	"dssdnet/internal/manifest"
)

// TestGateInReport shows a decision with the run of the model that was current, and only in a report of its own run.
func TestGateInReport(t *testing.T) {
	w := evaltest.New(t, 20, 200, 50)
	c := report.Default()
	c.Workspace, c.Set, c.Pool = w.Dir, evaltest.Set, evaltest.PoolName
	input := func(path string) manifest.Input {
		t.Helper()
		in, err := manifest.HashInput(path)
		if err != nil {
			t.Fatal(err)
		}
		in.Path = filepath.Join("runs", filepath.Base(path))
		return in
	}
	run, baseline, other := w.Rerank(t, "runs/new", 0, 1), w.Rerank(t, "runs/current", 2, 2), w.Rerank(t, "runs/other", 1, 3)
	of := input(baseline)
	g := report.Gate{Version: "v2", Reason: "PRES@100 is worse <b>", Baseline: "v1", Rule: compare.Gate{Measure: "PRES@100", Alpha: 0.05}, Run: input(run), BaselineRun: &of}
	if err := g.Write(c.Dir()); err != nil {
		t.Fatal(err)
	}
	shown := func(runs ...string) report.Data {
		t.Helper()
		c.Runs = runs
		if _, err := report.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		var d report.Data
		if err := json.Unmarshal(read(t, c, "report.json"), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := shown(run); d.Gate == nil || d.Gate.Version != "v2" || len(d.Compare.Systems) != 3 || d.Compare.Systems[2].Name != "current" {
		t.Errorf("of the judged run: %+v, systems %+v", d.Gate, d.Compare.Systems)
	}
	for name, want := range map[string]string{
		"report.html": "</strong> v2 was refused: PRES@100 is worse &lt;b&gt;.", "report.md": "> **Gate** v2 was refused: PRES@100 is worse <b>.",
	} {
		if !strings.Contains(string(read(t, c, name)), want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
	if d := shown(run, baseline); d.Gate == nil || len(d.Compare.Systems) != 3 {
		t.Errorf("with both runs named: %+v, %d systems", d.Gate, len(d.Compare.Systems))
	}
	if d := shown(other); d.Gate != nil || len(d.Compare.Systems) != 2 {
		t.Errorf("of another run: %+v, %d systems", d.Gate, len(d.Compare.Systems))
	}
	if err := os.Remove(baseline); err != nil {
		t.Fatal(err)
	}
	if d := shown(run); d.Gate == nil || len(d.Compare.Systems) != 2 {
		t.Errorf("without the other's run: %+v, %d systems", d.Gate, len(d.Compare.Systems))
	}
}
