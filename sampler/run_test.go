package sampler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
	"dssdnet/schemas/arrowfile"
)

// config is the default for the tables in a workspace.
func config(ws workspace.Dir) Config {
	c := Default()
	c.Workspace, c.Pairs, c.Pool, c.Workers = ws, "p", []string{"bm25"}, 2
	return c
}

func run(t testing.TB, c Config) Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// output is every file of pairs/<name>/ by name.
func output(t *testing.T, c Config) map[string][]byte {
	t.Helper()
	dir := filepath.Join(string(c.Workspace), "pairs", c.Pairs)
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// rows are those of every file that begins with a prefix, a slice a record batch.
func rows[R any](t testing.TB, c Config, prefix string, table arrowfile.Table[R]) [][]R {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(string(c.Workspace), "pairs", c.Pairs, prefix+"*.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]R
	for _, path := range paths {
		r, err := arrowfile.Open(path, table)
		if err != nil {
			t.Fatal(err)
		}
		for batch := range r.Batches() {
			some, err := r.Read(batch, nil)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, some)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// literal is a collection in which every pair can be foreseen: one patent is left to be drawn.
func literal() tables {
	patent := func(id, family, title, abstract string, subclasses ...string) schemas.Patent {
		p := schemas.Patent{PatentID: id, Country: "EP", FamilyID: family, Title: title, Abstract: abstract, IPCSubclasses: subclasses, TextLang: "en"}
		if title+abstract == "" {
			p.TextLang = "de"
		}
		return p
	}
	pool := func(topic string, patents ...string) []schemas.Pool {
		var rows []schemas.Pool
		for i, id := range patents {
			rows = append(rows, schemas.Pool{TopicID: topic, PatentID: id, Rank: int32(i + 1), IndexBuild: "b1"})
		}
		return rows
	}
	return tables{
		patents: []schemas.Patent{
			patent("EP-0000001", "10", "Mixer", "A mixer.", "B01F"),          // the train topic
			patent("EP-0000002", "10", "Mixers", "Its relative.", "B01F"),    // its family
			patent("EP-0000003", "30", "Stirrer", "A stirrer.", "B01F"),      // gold in the pool
			patent("EP-0000004", "40", "Vessel", "", "B01J", "C12M"),         // gold outside the pool
			patent("EP-0000005", "", "", "", "H04L"),                         // no English text
			patent("EP-0000006", "60", "Router", "Sends packets.", "H04L"),   // all that can be drawn
			patent("EP-0000007", "70", "Antenna", "A test topic.", "H01Q"),   // the test topic
			patent("EP-0000008", "80", "Dipole", "Receives waves.", "H04B"),  // in the test pool
			patent("EP-0000009", "80", "Modem", "Converts signals.", "H04M"), // gold of the test topic
		},
		topics: []schemas.Topic{
			{TopicID: "PAC-1", PatentID: "EP-0000001", Set: "2010", Split: "train", Title: "A mixer", Abstract: "For liquids.", FamilyID: "10", IPCSubclasses: []string{"B01F"}},
			{TopicID: "PAC-2", PatentID: "EP-0000007", Set: "2011", Split: "test", Title: "An antenna", FamilyID: "70", IPCSubclasses: []string{"H01Q"}},
		},
		qrels: []schemas.Qrel{
			{TopicID: "PAC-1", PatentID: "EP-0000003", Grade: 2, Set: "2010"}, {TopicID: "PAC-1", PatentID: "EP-0000004", Grade: 1, Set: "2010"},
			{TopicID: "PAC-1", PatentID: "EP-0000008", Grade: 1, Set: "2010"}, {TopicID: "PAC-1", PatentID: "EP-0000009", Grade: 1, Set: "2010"},
			{TopicID: "PAC-1", PatentID: "EP-0000007", Grade: 1, Set: "2010"}, {TopicID: "PAC-1", PatentID: "EP-7777777", Grade: 1, Set: "2010"},
			{TopicID: "PAC-2", PatentID: "EP-0000009", Grade: 1, Set: "2011"}, {TopicID: "PAC-9", PatentID: "EP-0000009", Grade: 1, Set: "2011"},
		},
		pools: append(pool("PAC-1", "EP-0000006", "EP-0000003"), pool("PAC-2", "EP-0000008", "EP-0000007", "EP-0000009", "EP-0000006")...),
	}
}

func TestLiteralRun(t *testing.T) {
	c := config(literal().workspace(t))
	c.ValidShare = 0
	r := run(t, c)
	judged := func(topic, query, doc string, label, domain int8, section int8, source string, rank int32) arrowfile.Judged {
		return arrowfile.Judged{TopicID: topic, QueryID: query, DocID: doc, Label: label, Domain: domain, DomainKnown: true,
			DomainSection: section, DomainClass: domain, DomainIPC3: domain, Source: source, PoolRank: rank}
	}
	train := [][]arrowfile.Pair{{
		{Judged: judged("PAC-1", "EP-0000001", "EP-0000003", 1, 1, 1, "gold", 2), QueryTitle: "A mixer", QueryAbstract: "For liquids.", DocTitle: "Stirrer", DocAbstract: "A stirrer."},
		{Judged: judged("PAC-1", "EP-0000001", "EP-0000006", 0, 0, 0, "random", 1), QueryTitle: "A mixer", QueryAbstract: "For liquids.", DocTitle: "Router", DocAbstract: "Sends packets."},
	}}
	if diff := cmp.Diff(train, rows(t, c, "train", arrowfile.Pairs)); diff != "" {
		t.Errorf("train (- want, + got):\n%s", diff)
	}
	test := [][]arrowfile.Judged{{
		judged("PAC-2", "EP-0000007", "EP-0000008", 0, 0, 1, "pool", 1),
		judged("PAC-2", "EP-0000007", "EP-0000009", 1, 0, 1, "gold", 3),
		judged("PAC-2", "EP-0000007", "EP-0000006", 0, 0, 1, "pool", 4),
	}}
	if diff := cmp.Diff(test, rows(t, c, "test", arrowfile.Groups)); diff != "" {
		t.Errorf("test (- want, + got):\n%s", diff)
	}
	texts := [][]arrowfile.Text{{
		{Kind: "topic", ID: "PAC-2", Title: "An antenna"},
		{Kind: "patent", ID: "EP-0000006", Title: "Router", Abstract: "Sends packets."},
		{Kind: "patent", ID: "EP-0000008", Title: "Dipole", Abstract: "Receives waves."},
		{Kind: "patent", ID: "EP-0000009", Title: "Modem", Abstract: "Converts signals."},
	}}
	if diff := cmp.Diff(texts, rows(t, c, "texts", arrowfile.Texts)); diff != "" {
		t.Errorf("texts (- want, + got):\n%s", diff)
	}

	half := 0.5
	want := Counts{
		Library: LibraryCounts{Patents: 9, WithoutText: 1}, Alpha: &half,
		Train: PairCounts{
			GoldCounts: GoldCounts{Topics: 1, Golds: 6, Unreachable: 1, OutsidePool: 4, InPool: 1, TopicsWithoutDate: 1}, LeftOut: leftOut{}, TopicsWithPairs: 1, Positives: 1, Negatives: 1,
			Sources:      map[string]int64{"gold": 1, "random": 1},
			DomainCounts: DomainCounts{Subclass: Cells{{1, 0}, {0, 1}}, Class: Cells{{1, 0}, {0, 1}}, Section: Cells{{1, 0}, {0, 1}}, Known: [2]int64{1, 1}},
			Sections:     []SectionCounts{{Section: "B", Cells: Cells{{1, 0}, {0, 1}}}},
			Words:        Histogram{Buckets: []int64{0, 0, 0, 2}, Sum: 14, Max: 7}, Tokens: Histogram{Buckets: []int64{0, 0, 0, 0, 2}, Sum: 18, Max: 9},
		},
		Valid: PairCounts{Sources: map[string]int64{}},
		Test: GroupCounts{
			GoldCounts: GoldCounts{Topics: 1, Golds: 1, InPool: 1, TopicsWithoutDate: 1}, Groups: 1, Rows: 3, OwnPatent: 1,
			DomainCounts: DomainCounts{Subclass: Cells{{2, 0}, {1, 0}}, Class: Cells{{2, 0}, {1, 0}}, Section: Cells{{0, 2}, {0, 1}}, Known: [2]int64{2, 1}},
		},
	}
	if diff := cmp.Diff(want, r.Counts); diff != "" {
		t.Errorf("counts (- want, + got):\n%s", diff)
	}
	warnings := []string{
		"train: 1 golds are not in patents/: no pool can hold them, and they still count in every measure",
		"train: no pair has label 0 and t = 1", "train: no pair has label 1 and t = 0",
		"test: 1 topics stand in their own pool, these rows are left out",
	}
	got := slices.Sorted(slices.Values(r.Warnings))
	slices.Sort(warnings)
	if diff := cmp.Diff(warnings, got); diff != "" {
		t.Errorf("warnings (- want, + got):\n%s", diff)
	}
	m, err := ReadManifest(filepath.Join(string(c.Workspace), "pairs", "p"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Counts, m.Counts); diff != "" || len(m.Checks) != int(rules) || m.Files[0].Name != "test-00000.arrow" {
		t.Errorf("manifest: %+v %s", m, diff)
	}
}

// TestGroupsOnly re-ranks a train topic: the golds of its pool are rows of a group, and nothing is a pair.
func TestGroupsOnly(t *testing.T) {
	c := config(literal().workspace(t))
	c.Sets, c.GroupsOnly = []string{"2010"}, true
	r := run(t, c)
	if r.Counts.Train.Topics != 0 || r.Counts.Valid.Topics != 0 || r.Counts.Test.Groups != 1 || r.Counts.Alpha != nil {
		t.Errorf("counts: %+v", r.Counts)
	}
	var got []string
	for _, row := range rows(t, c, "test", arrowfile.Groups)[0] {
		got = append(got, fmt.Sprintf("%s %s label %d rank %d", row.TopicID, row.DocID, row.Label, row.PoolRank))
	}
	want := []string{"PAC-1 EP-0000006 label 0 rank 1", "PAC-1 EP-0000003 label 1 rank 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("group (- want, + got):\n%s", diff)
	}
	for name := range output(t, c) {
		if strings.HasPrefix(name, "train") || strings.HasPrefix(name, "valid") {
			t.Errorf("%s was written", name)
		}
	}
}

func TestMetadata(t *testing.T) {
	c := config(literal().workspace(t))
	c.ValidShare = 0
	run(t, c)
	r, err := arrowfile.Open(filepath.Join(string(c.Workspace), "pairs", "p", "train-00000.arrow"), arrowfile.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for key, want := range map[string]string{
		MetadataSplit: "train", MetadataAlpha: "0.5", MetadataSeed: "1", MetadataNegatives: "random=1", MetadataPool: "bm25", MetadataIndexBuild: "b1",
		schemas.MetadataSchema: schemas.Pairs.Tag(),
	} {
		if got, _ := r.Metadata(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if counts, _ := r.Metadata(MetadataCounts); !strings.Contains(counts, `"golds_unreachable":1`) {
		t.Errorf("counts are %s", counts)
	}
	if inputs, _ := r.Metadata(MetadataInputs); !strings.Contains(inputs, `"path":"patents/patents-00000.parquet"`) {
		t.Errorf("inputs are %s", inputs)
	}
}

func TestBatchesAndShards(t *testing.T) {
	c := config(smallTables().workspace(t))
	c.NegativesPerPositive, c.BatchRows, c.ShardBytes = 3, 10, 30_000
	r := run(t, c)
	for _, batch := range rows(t, c, "train", arrowfile.Pairs) {
		if len(batch) != 8 && len(batch) != 4 {
			t.Errorf("a batch has %d rows, want 2 units of 4, or 1 at the end", len(batch))
		}
	}
	if groups := rows(t, c, "test", arrowfile.Groups); len(groups) != int(r.Counts.Test.Groups) || len(groups[0]) != small.hits {
		t.Errorf("%d groups of %d rows", len(groups), len(groups[0]))
	}
	if r.Counts.Train.Negatives != 3*r.Counts.Train.Positives {
		t.Errorf("%d negatives for %d positives", r.Counts.Train.Negatives, r.Counts.Train.Positives)
	}
	for _, name := range []string{"train-00003.arrow", "test-00001.arrow"} {
		if !slices.ContainsFunc(r.Files, func(f File) bool { return f.Name == name }) {
			t.Errorf("%s is missing: %v", name, r.Files)
		}
	}
}

// TestDomainBalanced expects t = 1 and t = 0 equally often in each label, exactly: nothing falls back here.
func TestDomainBalanced(t *testing.T) {
	c := config(smallTables().workspace(t))
	c.Negatives, c.ValidShare = []string{"domain-balanced"}, 0.3
	r := run(t, c)
	for name, split := range map[string]PairCounts{"train": r.Counts.Train, "valid": r.Counts.Valid} {
		n := split.Positives / 2
		if n == 0 || split.Fallbacks != 0 || split.Subclass != (Cells{{n, n}, {n, n}}) {
			t.Errorf("%s: %d fallbacks, label x domain %v, want 4 equal cells", name, split.Fallbacks, split.Subclass)
		}
	}
	if *r.Counts.Alpha != 0.5 {
		t.Errorf("alpha is %v", *r.Counts.Alpha)
	}
}

func TestMixedSources(t *testing.T) {
	c := config(smallTables().workspace(t))
	c.Negatives, c.PoolRankFrom, c.PoolRankTo, c.ValidShare = []string{"random=0.5", "pool=0.5"}, 11, 40, 0
	r := run(t, c)
	sources := r.Counts.Train.Sources
	if d := sources["random"] - sources["pool"]; d < -27 || d > 27 {
		t.Errorf("sources are %v, want halves but for one a topic", sources)
	}
	for _, p := range slices.Concat(rows(t, c, "train", arrowfile.Pairs)...) {
		if p.Source == arrowfile.SourcePool && (p.PoolRank < 11 || p.PoolRank > 40) {
			t.Errorf("a negative from the pool has rank %d, want 11 to 40", p.PoolRank)
		}
	}
}

func TestPriorOnly(t *testing.T) {
	in := smallTables()
	c := config(in.workspace(t))
	c.PriorOnly = true
	run(t, c)
	published, before := map[string]schemas.Date{}, map[string]schemas.Date{}
	for _, p := range in.patents {
		published[p.PatentID] = *p.PublicationDate
	}
	for _, topic := range in.topics {
		before[topic.TopicID] = *topic.EarliestPriorityDate
	}
	for _, p := range slices.Concat(rows(t, c, "train", arrowfile.Pairs)...) {
		if p.Label == 0 && published[p.DocID] >= before[p.TopicID] {
			t.Errorf("topic %s of %s has negative %s of %s", p.TopicID, before[p.TopicID], p.DocID, published[p.DocID])
		}
	}
}

func TestVerify(t *testing.T) {
	c := config(literal().workspace(t))
	c.ValidShare = 0
	run(t, c)
	dir := filepath.Join(string(c.Workspace), "pairs", "p")
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(dir); err != nil {
		t.Error(err)
	}
	path := filepath.Join(dir, "train-00000.arrow")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(dir); err == nil || !strings.Contains(err.Error(), "train-00000.arrow is not the file that was written") {
		t.Errorf("a flipped bit: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(dir); err == nil || !strings.Contains(err.Error(), "train-00000.arrow") {
		t.Errorf("a lost file: %v", err)
	}
	if _, err := ReadManifest(t.TempDir()); err == nil || !strings.Contains(err.Error(), "run dssdnet sample") {
		t.Errorf("a folder without pairs: %v", err)
	}
}
