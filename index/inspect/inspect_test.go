package inspect

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/index/analysis"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestStatsOfAHandfulOfPatents(t *testing.T) {
	c := handful(t)
	c.Terms, c.Top = []string{"pumps", "the", "unheardof"}, 2
	s, err := Stats(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Fields[0]
	if s.Patents != 4 || f.Patents != 3 || f.Terms != 9 || f.AverageLength != 3 || f.Distinct != 5 ||
		f.Shortest != 2 || f.Median != 3 || f.Longest != 4 {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]TermDF{{Term: "pump", DF: 3}, {Term: "valv", DF: 2}}, f.Top); diff != "" {
		t.Errorf("top (-want +got):\n%s", diff)
	}
	want := []TermDF{{Word: "pumps", Term: "pump", DF: 3}, {Word: "the"}, {Word: "unheardof", Term: "unheardof"}}
	if diff := cmp.Diff(want, f.Asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestExplainByHand(t *testing.T) {
	c := handful(t)
	c.Topic, c.Patent = "PAC-1", "EP-0000002-B1"
	e, err := Explain(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	// N = 3, average length 3. EP-0000002 has length 4: pump twice, valve once. The query has valve twice, pump once.
	k := 1.2 * (1 - 0.75 + 0.75*4/3)
	pump := math.Log(1+0.5/3.5) * 2 * 2.2 / (2 + k)
	valve := 2 * math.Log(1+1.5/2.5) * 1 * 2.2 / (1 + k)
	if math.Abs(e.Score-(pump+valve)) > 1e-12 || e.Rank != 2 || e.Title != "Pumps with a valve" || e.Barred != "" {
		t.Errorf("%+v, want %v + %v", e, pump, valve)
	}
	if len(e.Shares) != 2 || e.Shares[0].Term != "pump" || math.Abs(e.Shares[0].Score-pump) > 1e-12 || e.Shares[1].Weight != 2 {
		t.Errorf("shares %+v", e.Shares)
	}
}

func TestExplainWhyAPatentIsBarred(t *testing.T) {
	c := handful(t)
	c.Topic = "PAC-1"
	for patent, test := range map[string]struct {
		want string
		edit func(*Config)
	}{
		"EP-0000004": {"own patent", func(*Config) {}},
		"EP-0000001": {"family", func(c *Config) { c.KeepFamily = false }},
		"EP-0000002": {"not before 1972-09-27", func(c *Config) { c.PublishedBeforePriority = true }},
		"EP-0000003": {"no IPC subclass", func(c *Config) { c.IPC = "filter" }},
	} {
		asked := c
		asked.Patent = patent
		test.edit(&asked)
		e, err := Explain(t.Context(), asked)
		if err != nil || !strings.Contains(e.Barred, test.want) || e.Rank != 0 {
			t.Errorf("%s: barred %q, rank %d, error %v; want %q", patent, e.Barred, e.Rank, err, test.want)
		}
	}
}

func TestAsk(t *testing.T) {
	c := handful(t)
	c.Words = "Valves, unheardof!"
	a, err := Ask(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hit := range a.Hits {
		got = append(got, hit.PatentID+" "+hit.Title)
	}
	want := []string{"EP-0000001 Pump valve", "EP-0000002 Pumps with a valve"}
	if !slices.Equal(got, want) || !slices.Equal(a.Terms, []string{"valv"}) {
		t.Errorf("hits %q of terms %q, want %q", got, a.Terms, want)
	}
	if a.Hits[1].Published != "1975-06-24" || a.Hits[0].Published != "" {
		t.Errorf("days %q and %q", a.Hits[0].Published, a.Hits[1].Published)
	}
}

func TestTitlesInManyFiles(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	patents := indextest.Small.Make()
	indextest.WritePatents(t, ws, patents, 130)
	ids := []string{"EP-0000000", "EP-9999999", "AA-1"}
	want := make(map[string]string)
	for i := 0; i < len(patents); i += 7 {
		ids = append(ids, patents[i].PatentID)
		want[patents[i].PatentID] = patents[i].Title
	}
	got, err := Titles(ws.Table("patents"), ids)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	c := handful(t)
	c.Topic, c.Patent, c.Words = "PAC-1", "EP-0000001", "pump"
	for name, ask := range map[string]func(Config) error{
		"words":  func(c Config) error { c.Words = " "; _, err := Ask(t.Context(), c); return err },
		"hits":   func(c Config) error { c.Hits = 0; _, err := Ask(t.Context(), c); return err },
		"topic":  func(c Config) error { c.Topic = "PAC-9"; _, err := Explain(t.Context(), c); return err },
		"patent": func(c Config) error { c.Patent = "EP-0000009"; _, err := Explain(t.Context(), c); return err },
		"id":     func(c Config) error { c.Patent = "9"; _, err := Explain(t.Context(), c); return err },
		"top":    func(c Config) error { c.Top = -1; _, err := Stats(t.Context(), c); return err },
	} {
		if err := ask(c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: the error is %v, want one of kind Usage", name, err)
		}
	}
}

// handful is an index of four patents, one without text, and a topic that is the last one's, of the first one's
// family.
func handful(t *testing.T) Config {
	t.Helper()
	day := schemas.Date(2000)
	priority := schemas.Date(1000)
	ws := workspace.Dir(t.TempDir())
	indextest.WritePatents(t, ws, []schemas.Patent{
		{PatentID: "EP-0000001", Title: "Pump valve", FamilyID: "7", IPCSubclasses: []string{"F04B"}},
		{PatentID: "EP-0000002", Title: "Pumps with a valve", Abstract: "A pump housing.", PublicationDate: &day, IPCSubclasses: []string{"F04B"}},
		{PatentID: "EP-0000003", Title: "Pump rotor", Abstract: "Impeller", IPCSubclasses: []string{"H01L"}},
		{PatentID: "EP-0000004", FamilyID: "7"},
	}, 3)
	b := build.Default()
	b.Workspace, b.Analyzer = ws, analysis.Porter2
	if _, err := build.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	indextest.WriteTable(t, schemas.Topics, filepath.Join(ws.Table("topics"), "s.parquet"), []schemas.Topic{{
		TopicID: "PAC-1", PatentID: "EP-0000004", Set: "s", Title: "Valve", Abstract: "The valve of a pump", FamilyID: "7",
		EarliestPriorityDate: &priority, IPCSubclasses: []string{"F04B"},
	}})
	c := Default()
	c.Workspace, c.KeepFamily = ws, true
	return c
}
