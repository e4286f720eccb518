package query

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestTermsAreCountedWeightedAndSelected(t *testing.T) {
	ix := handful(t)
	const text = "pump pump pump valve valve valve rotor unheardof"
	for name, test := range map[string]struct {
		edit func(*Config)
		want string
	}{
		"all":         {func(*Config) {}, "pump*3 rotor*1 valve*3"},
		"binary":      {func(c *Config) { c.TF = TFBinary }, "pump*1 rotor*1 valve*1"},
		"weighted":    {func(c *Config) { c.Match = []string{"text=2"} }, "pump*6 rotor*2 valve*6"},
		"idf":         {func(c *Config) { c.MaxTerms, c.Select = 1, SelectIDF }, "rotor*1"},
		"tf-idf":      {func(c *Config) { c.MaxTerms = 1 }, "valve*3"},
		"more than n": {func(c *Config) { c.MaxTerms = 9 }, "pump*3 rotor*1 valve*3"},
	} {
		plan, err := planner(t, ix, test.edit).Words(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, term := range plan.Terms {
			got = append(got, term.Text+"*"+string('0'+rune(term.Weight)))
		}
		if strings.Join(got, " ") != test.want || plan.Known != 3 || len(plan.Notes) > 0 {
			t.Errorf("%s: %v of %d known terms, notes %v; want %s", name, got, plan.Known, plan.Notes, test.want)
		}
	}
}

func TestOwnPatentAndFamilyAreExcluded(t *testing.T) {
	ix := handful(t)
	for name, test := range map[string]struct {
		topic schemas.Topic
		keep  bool
		want  string
	}{
		"own":                    {schemas.Topic{PatentID: "EP-2"}, true, "EP-2"},
		"own and family":         {schemas.Topic{PatentID: "EP-2", FamilyID: "7"}, false, "EP-1 EP-2 EP-3"},
		"family by the index":    {schemas.Topic{PatentID: "EP-3"}, false, "EP-1 EP-3"},
		"family by the topic":    {schemas.Topic{PatentID: "XX-1", FamilyID: "7"}, false, "EP-1 EP-3"},
		"family kept":            {schemas.Topic{PatentID: "EP-3", FamilyID: "7"}, true, "EP-3"},
		"nothing of it is known": {schemas.Topic{PatentID: "XX-1"}, false, ""},
	} {
		test.topic.Title = "pump"
		plan, err := planner(t, ix, func(c *Config) { c.KeepFamily = test.keep }).Topic(&test.topic)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, patent := range plan.Exclude {
			got = append(got, ix.Patents().ID(patent))
		}
		if strings.Join(got, " ") != test.want || plan.Excluded != len(got) {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}

func TestNotes(t *testing.T) {
	ix := handful(t)
	filed := schemas.Date(5000)
	dated := func(c *Config) { c.PublishedBeforePriority = true }
	for want, test := range map[string]struct {
		topic schemas.Topic
		edit  func(*Config)
	}{
		"":                    {schemas.Topic{Title: "pump"}, nil},
		"none of the 1 terms": {schemas.Topic{Title: "unheardof"}, nil},
		"no text in title, abstract (language fr)": {schemas.Topic{TitleFR: "pompe", Lang: "fr"}, nil},
		"limited by the filing":                    {schemas.Topic{Title: "pump", ApplicationDate: &filed}, dated},
		"no date":                                  {schemas.Topic{Title: "pump"}, dated},
		"no IPC subclass":                          {schemas.Topic{Title: "pump"}, func(c *Config) { c.IPC = IPCFilter }},
	} {
		plan, err := planner(t, ix, test.edit).Topic(&test.topic)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(plan.Notes, "; "); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("notes %q, want %q", got, want)
		}
	}
}

func TestEachTopicTakesTheSetsAsked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "topics")
	for set, ids := range map[string][]string{"a": {"T1", "T2"}, "b": {"T3"}, "c": {"T1"}} {
		var topics []schemas.Topic
		for _, id := range ids {
			topics = append(topics, schemas.Topic{TopicID: id, Set: set})
		}
		indextest.WriteTable(t, schemas.Topics, filepath.Join(dir, set+".parquet"), topics)
	}
	var got []string
	visit := func(topic *schemas.Topic) error { got = append(got, topic.TopicID); return nil }
	if err := EachTopic(t.Context(), dir, []string{"a", "b"}, visit); err != nil || !slices.Equal(got, []string{"T1", "T2", "T3"}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := EachTopic(t.Context(), dir, nil, visit); fault.KindOf(err) != fault.Rejected {
		t.Errorf("a topic in two sets: %v", err)
	}
	if topic, err := FindTopic(t.Context(), dir, []string{"c"}, "T1"); err != nil || topic.Set != "c" {
		t.Errorf("%v, %v", topic, err)
	}
	if _, err := FindTopic(t.Context(), dir, []string{"c"}, "T2"); fault.KindOf(err) != fault.Usage {
		t.Errorf("a topic of another set: %v", err)
	}
}

// handful is an index in which pump is in three patents, valve in two, rotor in one.
func handful(t *testing.T) *index.Index {
	t.Helper()
	ws := workspace.Dir(t.TempDir())
	indextest.WritePatents(t, ws, []schemas.Patent{
		{PatentID: "EP-1", Title: "pump valve", FamilyID: "7"},
		{PatentID: "EP-2", Title: "pump valve rotor"},
		{PatentID: "EP-3", Title: "pump", FamilyID: "7"},
	}, 10)
	c := build.Default()
	c.Workspace, c.Analyzer = ws, analysis.Words
	if _, err := build.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	dir, err := index.Current(ws.Table("index"))
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(t.Context(), dir, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

func planner(t *testing.T, ix *index.Index, edit func(*Config)) *Planner {
	t.Helper()
	c := Default()
	if edit != nil {
		edit(&c)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlanner(ix, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
