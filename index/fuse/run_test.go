package fuse

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/index/indextest"
	"dssdnet/index/pool"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestFusion(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	write(t, ws, "a", map[string]string{"T1": "P1 P2 P3", "T2": "P9"}, "T1", "T2", "T3")
	write(t, ws, "b", map[string]string{"T1": "P3 P4 P1", "T4": "P5"}, "T4", "T1", "T3")
	c := Default()
	c.Workspace, c.Pools, c.Hits = ws, []string{"a", "b"}, 3
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if result.Topics != 4 || result.Rows != 5 || result.Empty != 1 {
		t.Errorf("%+v", result)
	}
	// P1: ranks 1 and 3, P3: ranks 3 and 1: equal, by id. Then P2 and P4: rank 2 each, P4 is cut.
	want := []schemas.Pool{
		row("T1", "P1", 1, 1.0/61+1.0/63), row("T1", "P3", 2, 1.0/63+1.0/61), row("T1", "P2", 3, 1.0/62),
		row("T2", "P9", 1, 1.0/61), row("T4", "P5", 1, 1.0/61),
	}
	got := indextest.ReadTable[schemas.Pool](t, schemas.Pools, pool.Dir(ws, "fused"))
	for i := range want {
		if i < len(got) && math.Abs(got[i].Score-want[i].Score) < 1e-15 {
			got[i].Score = want[i].Score
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	var topics []string
	err = pool.EachQuery(pool.Dir(ws, "fused"), func(q pool.Query) error { topics = append(topics, q.TopicID); return nil })
	if err != nil || strings.Join(topics, " ") != "T1 T2 T3 T4" {
		t.Errorf("topics %v, %v", topics, err)
	}

	if again, err := Run(t.Context(), c); err != nil || !again.Skipped {
		t.Errorf("the second run was %+v, %v", again, err)
	}
	c.K = 0
	if again, err := Run(t.Context(), c); err != nil || again.Skipped {
		t.Errorf("the run with another k was %+v, %v", again, err)
	}
}

func TestRefusals(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	write(t, ws, "a", map[string]string{"T1": "P1"}, "T1")
	for name, test := range map[string]struct {
		edit func(*Config)
		kind fault.Kind
	}{
		"one":    {func(c *Config) { c.Pools = []string{"a"} }, fault.Usage},
		"twice":  {func(c *Config) { c.Pools = []string{"a", "a"} }, fault.Usage},
		"itself": {func(c *Config) { c.Pools = []string{"a", "fused"} }, fault.Usage},
		"hits":   {func(c *Config) { c.Hits = 0 }, fault.Usage},
		"k":      {func(c *Config) { c.K = math.NaN() }, fault.Usage},
		"none":   {func(c *Config) { c.Pools = []string{"a", "z"} }, fault.Rejected},
	} {
		c := Default()
		c.Workspace, c.Pools = ws, []string{"a", "b"}
		test.edit(&c)
		if _, err := Run(t.Context(), c); fault.KindOf(err) != test.kind {
			t.Errorf("%s: the error is %v, want kind %v", name, err, test.kind)
		}
		if _, err := os.Stat(filepath.Join(ws.Table("pools"), "fused")); err == nil {
			t.Errorf("%s: there is a pool", name)
		}
	}
}

func row(topic, patent string, rank int32, score float64) schemas.Pool {
	return schemas.Pool{TopicID: topic, PatentID: patent, Rank: rank, Score: score, IndexBuild: "build"}
}

func write(t *testing.T, ws workspace.Dir, name string, ranked map[string]string, topics ...string) {
	t.Helper()
	w, err := pool.NewWriter(pool.Dir(ws, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range topics {
		var rows []schemas.Pool
		for i, patent := range strings.Fields(ranked[topic]) {
			rows = append(rows, row(topic, patent, int32(i+1), 10-float64(i)))
		}
		if err := w.Add(pool.Query{TopicID: topic, Hits: len(rows)}, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(manifest.Manifest{Stage: "test"}); err != nil {
		t.Fatal(err)
	}
}
