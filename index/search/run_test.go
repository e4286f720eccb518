package search

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/index/analysis"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestPoolIsTheTextbooksRanking(t *testing.T) {
	w := newWorld(t)
	result := w.run(t, nil)
	rows := w.pool(t)
	if result.Topics != 40 || result.Rows != int64(len(rows)) || result.Skipped {
		t.Errorf("the result is %+v with %d rows", result, len(rows))
	}
	brute := w.bruteForce()
	for _, topic := range w.topics {
		var want []indextest.Scored
		for _, s := range brute.Rank(strings.Fields(topic.Title+" "+topic.Abstract), 1.2, 0.75) {
			p := w.byID[s.ID]
			if s.ID != topic.PatentID && (p.FamilyID == "" || p.FamilyID != topic.FamilyID) {
				want = append(want, s)
			}
		}
		if diff := indextest.Differ(scored(t, rows, topic.TopicID), want, 60); diff != "" {
			t.Errorf("%s: %s", topic.TopicID, diff)
		}
	}
}

func TestBytesDependOnNothingElse(t *testing.T) {
	w := newWorld(t)
	w.run(t, nil)
	want := w.files(t)
	for name, edit := range map[string]func(*Config){
		"again":       func(c *Config) { c.Force = true },
		"one worker":  func(c *Config) { c.Force, c.Workers = true, 1 },
		"9 workers":   func(c *Config) { c.Force, c.Workers = true, 9 },
		"no cache":    func(c *Config) { c.Force, c.CacheBytes = true, 0 },
		"new index":   func(c *Config) { c.Force = true; w.index(t, func(b *build.Config) { b.Force, b.Workers = true, 1 }) },
		"more builds": func(c *Config) { c.Force = true; w.detour(t) },
	} {
		w.run(t, edit)
		if got := w.files(t); !cmp.Equal(got, want) {
			t.Errorf("%s: the files differ", name)
		}
	}
}

func TestNothingNewIsSkipped(t *testing.T) {
	w := newWorld(t)
	first := w.run(t, nil)
	again := w.run(t, func(c *Config) { c.Workers = 3 })
	if !again.Skipped {
		t.Errorf("the second run was %+v", again)
	}
	again.Skipped = false
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the result of a skipped run (-first +again):\n%s", diff)
	}
	for name, edit := range map[string]func(*Config){
		"k1":     func(c *Config) { c.K1 = 2 },
		"force":  func(c *Config) { c.Force = true },
		"topics": func(*Config) { w.topics = w.topics[:30]; w.writeTopics(t) },
		"qrels": func(*Config) {
			indextest.WriteTable(t, schemas.Qrels, filepath.Join(w.Table("qrels"), "made-up.parquet"), w.qrels[:9])
		},
		"index": func(*Config) { w.detour(t); w.patents = w.patents[:600]; w.index(t, nil) },
	} {
		if result := w.run(t, edit); result.Skipped {
			t.Errorf("%s: the run was skipped", name)
		}
		w.run(t, nil)
	}
}

func TestSettingsOfQueries(t *testing.T) {
	w := newWorld(t)
	topic := w.topics[0]
	words := strings.Fields(topic.Title + " " + topic.Abstract)
	slices.Sort(words)
	for name, test := range map[string]struct {
		edit func(*Config)
		want []string
	}{
		"binary":  {func(c *Config) { c.TF = query.TFBinary }, slices.Compact(slices.Clone(words))},
		"columns": {func(c *Config) { c.Columns = []string{"claims"} }, strings.Fields(topic.Claims)},
	} {
		w.run(t, func(c *Config) { test.edit(c); c.KeepFamily = true })
		want := w.bruteForce().Rank(test.want, 1.2, 0.75)
		want = slices.DeleteFunc(want, func(s indextest.Scored) bool { return s.ID == topic.PatentID })
		if diff := indextest.Differ(scored(t, w.pool(t), topic.TopicID), want, 60); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	w.run(t, func(c *Config) { c.MaxTerms = 3 })
	for _, q := range w.queries(t) {
		if q.TopicID == topic.TopicID && q.Hits == 0 {
			t.Errorf("three terms found nothing")
		}
	}
}

func TestTopicsThatFindLittleAreKeptAndReported(t *testing.T) {
	w := newWorld(t)
	w.topics = []schemas.Topic{
		{TopicID: "PAC-1", PatentID: "EP-9999999", Lang: "de", TitleDE: "Golfhilfe", Set: "s"},
		{TopicID: "PAC-2", PatentID: "EP-9999999", Lang: "en", Title: "unheardof", Set: "s"},
		{TopicID: "PAC-3", PatentID: "EP-9999999", Lang: "en", Title: "xqqq", Set: "s", IPCSubclasses: []string{"A61K"}},
		w.topics[3],
	}
	w.patents[7].Abstract += " xqqq"
	indextest.WritePatents(t, w.Dir, w.patents, 300)
	w.index(t, nil)
	w.writeTopics(t)
	result := w.run(t, nil)
	if result.Topics != 4 || result.EmptyQueries != 2 || result.ShortPools != 1 {
		t.Errorf("the result is %+v", result)
	}
	want := []string{
		"PAC-1: empty query, no text in title, abstract (language de)",
		"PAC-2: empty query, none of the 1 terms is in the index",
		"PAC-3: 1 of 60 hits",
	}
	if diff := cmp.Diff(want, result.Noted); diff != "" {
		t.Errorf("noted (-want +got):\n%s", diff)
	}
	wantLines := []pool.Query{
		{TopicID: "PAC-1", Notes: []string{"no text in title, abstract (language de)"}},
		{TopicID: "PAC-2", Notes: []string{"none of the 1 terms is in the index"}},
		{TopicID: "PAC-3", Terms: 1, Hits: 1, Subclasses: []string{"A61K"}},
	}
	if diff := cmp.Diff(wantLines, w.queries(t)[:3]); diff != "" {
		t.Errorf("queries.jsonl (-want +got):\n%s", diff)
	}
}

func TestOnlyEarlierPatents(t *testing.T) {
	w := newWorld(t)
	day := schemas.Date(11000)
	for i := range w.topics {
		w.topics[i].EarliestPriorityDate = &day
	}
	w.writeTopics(t)
	w.run(t, func(c *Config) { c.PublishedBeforePriority = true })
	rows := w.pool(t)
	undated := 0
	for _, row := range rows {
		switch published := w.byID[row.PatentID].PublicationDate; {
		case published == nil:
			undated++
		case *published >= day:
			t.Errorf("%s of %v is in a pool of patents before %v", row.PatentID, published, day)
		}
	}
	if undated == 0 || undated == len(rows) {
		t.Errorf("%d of %d candidates have no date", undated, len(rows))
	}
}

func TestQuality(t *testing.T) {
	w := newWorld(t)
	result := w.run(t, nil)
	ranks := make(map[[2]string]int)
	for _, row := range w.pool(t) {
		ranks[[2]string{row.TopicID, row.PatentID}] = int(row.Rank)
	}
	golds := make(map[string][]string)
	for _, q := range w.qrels {
		golds[q.TopicID] = append(golds[q.TopicID], q.PatentID)
	}
	found, all, recall, without := 0, 0, 0.0, 0
	for topic, patents := range golds {
		n := 0
		for _, id := range patents {
			if ranks[[2]string{topic, id}] > 0 {
				n++
			}
		}
		found, all = found+n, all+len(patents)
		recall += float64(n) / float64(len(patents))
		if n == 0 {
			without++
		}
	}
	q := result.Quality
	at := q.At[len(q.At)-1]
	if q.Golds != all || at.Found != found || q.Topics != len(golds) || q.TopicsWithoutGold != without ||
		at.Recall < recall/float64(len(golds))-1e-12 || at.Recall > recall/float64(len(golds))+1e-12 {
		t.Errorf("quality %+v, want %d of %d golds, recall %v, %d topics without", q, found, all, recall/float64(len(golds)), without)
	}
	var sliced int
	for _, s := range q.Slices {
		sliced += s.Golds
		if s.Golds == 0 {
			t.Errorf("slice %s has no gold: nothing is tested", s.Name)
		}
	}
	if sliced != all || q.NotIndexed != 40 || q.Sound == nil || q.Sound.Topics != len(golds)-1 {
		t.Errorf("quality %+v with %d golds in slices, sound %+v", q, sliced, q.Sound)
	}
}

func TestRunFile(t *testing.T) {
	w := newWorld(t)
	plain, zipped := filepath.Join(t.TempDir(), "a.txt"), filepath.Join(t.TempDir(), "a.txt.gz")
	w.run(t, func(c *Config) { c.TREC = plain })
	if result := w.run(t, func(c *Config) { c.TREC = zipped }); !result.Skipped {
		t.Error("a run for another format searched again")
	}
	var want strings.Builder
	for _, row := range w.pool(t) {
		fmt.Fprintf(&want, "%s Q0 %s %d %v test\n", row.TopicID, row.PatentID, row.Rank, row.Score)
	}
	got, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Errorf("the run file begins %.200s, want %.200s", got, want.String())
	}
	packed, err := os.ReadFile(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(z); err != nil || !bytes.Equal(unpacked, got) {
		t.Errorf("the gzipped run file is another: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*testing.T, *world, *Config)
		kind fault.Kind
		want string
	}{
		"hits":      {func(_ *testing.T, _ *world, c *Config) { c.Hits = 0 }, fault.Usage, "--hits is 0"},
		"name":      {func(_ *testing.T, _ *world, c *Config) { c.Pool = "../x" }, fault.Usage, "--pool"},
		"column":    {func(_ *testing.T, _ *world, c *Config) { c.Columns = []string{"titel"} }, fault.Usage, "titel"},
		"no column": {func(_ *testing.T, _ *world, c *Config) { c.Columns = nil }, fault.Usage, "--query"},
		"field":     {func(_ *testing.T, _ *world, c *Config) { c.Match = []string{"claims"} }, fault.Usage, `no field "claims"`},
		"weight":    {func(_ *testing.T, _ *world, c *Config) { c.Match = []string{"text=-1"} }, fault.Usage, "weight"},
		"k1":        {func(_ *testing.T, _ *world, c *Config) { c.K1 = -1 }, fault.Usage, "--k1"},
		"set":       {func(_ *testing.T, _ *world, c *Config) { c.Sets = []string{"x"} }, fault.Usage, "it has made-up"},
		"qrels":     {func(_ *testing.T, _ *world, c *Config) { c.Qrels = []string{"x"} }, fault.Usage, "no qrels set"},
		"no index": {func(t *testing.T, w *world, _ *Config) { must(t, os.RemoveAll(w.Table("index"))) },
			fault.Rejected, "run dssdnet index build"},
		"no topics": {func(t *testing.T, w *world, _ *Config) { must(t, os.RemoveAll(w.Table("topics"))) },
			fault.Rejected, "run dssdnet ingest topics"},
		"topic twice": {func(t *testing.T, w *world, _ *Config) {
			other := w.topics[0]
			other.Set = "other"
			indextest.WriteTable(t, schemas.Topics, filepath.Join(w.Table("topics"), "other.parquet"), []schemas.Topic{other})
		}, fault.Rejected, "choose one with --sets"},
		"segment":  {func(t *testing.T, w *world, _ *Config) { damage(t, w, "*.seg", flipBit) }, fault.Rejected, "is damaged"},
		"manifest": {func(t *testing.T, w *world, _ *Config) { damage(t, w, "manifest.json", cut) }, fault.Rejected, "is damaged"},
		"format": {func(t *testing.T, w *world, _ *Config) {
			damage(t, w, "manifest.json", replace(`"format": 1`, `"format": 2`))
		}, fault.Rejected, "has format 2, this dssdnet reads 1"},
		"analyzer": {func(t *testing.T, w *world, _ *Config) {
			damage(t, w, "manifest.json", replace(analysis.Words, "en-words/7"))
		}, fault.Rejected, `analyzer "en-words/7"`},
		"other analyzer": {func(t *testing.T, w *world, _ *Config) {
			damage(t, w, "manifest.json", replace(analysis.Words, analysis.Porter2))
		}, fault.Rejected, "have the name"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c := w.config(nil)
			test.edit(t, w, &c)
			_, err := Run(t.Context(), c)
			if fault.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one of kind %v with %q", err, test.kind, test.want)
			}
			if _, err := os.Stat(pool.Dir(w.Dir, "test")); err == nil {
				t.Error("there is a pool")
			}
		})
	}
}

func TestEndedContextLeavesNothing(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, w.config(nil)); err == nil {
		t.Fatal("a run with an ended context succeeded")
	}
	left, err := filepath.Glob(filepath.Join(w.Table("pools"), "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != ".test.lock" {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// world is a workspace with an index, topics and qrels.
type world struct {
	workspace.Dir
	patents []schemas.Patent
	byID    map[string]schemas.Patent
	topics  []schemas.Topic
	qrels   []schemas.Qrel
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Dir: workspace.Dir(t.TempDir()), patents: indextest.Small.Make(), byID: make(map[string]schemas.Patent)}
	for _, p := range w.patents {
		w.byID[p.PatentID] = p
	}
	indextest.WritePatents(t, w.Dir, w.patents, 300)
	w.index(t, nil)
	w.topics = indextest.Topics(w.patents, 40, 4)
	w.writeTopics(t)
	for i, topic := range w.topics {
		for k := range 8 {
			w.qrels = append(w.qrels, schemas.Qrel{
				TopicID: topic.TopicID, PatentID: w.patents[(37*i+11*k)%700].PatentID, Grade: 1, Set: "made-up", BrokenTopic: i == 5,
			})
		}
		w.qrels = append(w.qrels, schemas.Qrel{TopicID: topic.TopicID, PatentID: "US-1", Grade: 2, Set: "made-up", BrokenTopic: i == 5})
	}
	indextest.WriteTable(t, schemas.Qrels, filepath.Join(w.Table("qrels"), "made-up.parquet"), w.qrels)
	return w
}

func (w *world) writeTopics(t *testing.T) {
	t.Helper()
	indextest.WriteTable(t, schemas.Topics, filepath.Join(w.Table("topics"), "made-up.parquet"), w.topics)
}

func (w *world) index(t *testing.T, edit func(*build.Config)) {
	t.Helper()
	indextest.WritePatents(t, w.Dir, w.patents, 300)
	c := build.Default()
	c.Workspace, c.Analyzer, c.Workers, c.BuildBytes = w.Dir, analysis.Words, 2, 16<<20
	if edit != nil {
		edit(&c)
	}
	if _, err := build.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// detour changes the index and changes it back by increments.
func (w *world) detour(t *testing.T) {
	t.Helper()
	all := w.patents
	w.patents = slices.Delete(slices.Clone(all), 100, 120)
	w.index(t, nil)
	w.patents = all
	w.index(t, nil)
}

func (w *world) config(edit func(*Config)) Config {
	c := Default()
	c.Workspace, c.Pool, c.Hits, c.Workers = w.Dir, "test", 60, 2
	if edit != nil {
		edit(&c)
	}
	return c
}

func (w *world) run(t *testing.T, edit func(*Config)) Result {
	t.Helper()
	result, err := Run(t.Context(), w.config(edit))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (w *world) pool(t *testing.T) []schemas.Pool {
	t.Helper()
	return indextest.ReadTable[schemas.Pool](t, schemas.Pools, pool.Dir(w.Dir, "test"))
}

func (w *world) files(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for _, name := range []string{pool.PoolFile, pool.QueriesFile} {
		data, err := os.ReadFile(filepath.Join(pool.Dir(w.Dir, "test"), name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

func (w *world) queries(t *testing.T) []pool.Query {
	t.Helper()
	var queries []pool.Query
	decoder := json.NewDecoder(strings.NewReader(w.files(t)[pool.QueriesFile]))
	for decoder.More() {
		var q pool.Query
		if err := decoder.Decode(&q); err != nil {
			t.Fatal(err)
		}
		queries = append(queries, q)
	}
	return queries
}

func (w *world) bruteForce() *indextest.BruteForce {
	documents := make(map[string][]string)
	for _, p := range w.patents {
		documents[p.PatentID] = strings.Fields(p.Title + " " + p.Abstract)
	}
	return indextest.NewBruteForce(documents)
}

func scored(t *testing.T, rows []schemas.Pool, topic string) []indextest.Scored {
	t.Helper()
	var list []indextest.Scored
	for _, row := range rows {
		if row.TopicID != topic {
			continue
		}
		list = append(list, indextest.Scored{ID: row.PatentID, Score: row.Score})
		if int(row.Rank) != len(list) {
			t.Errorf("%s: rank %d at place %d", topic, row.Rank, len(list))
		}
	}
	return list
}

func damage(t *testing.T, w *world, pattern string, edit func([]byte) []byte) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.Table("index"), "*", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	data, err := os.ReadFile(paths[0])
	must(t, err)
	must(t, os.WriteFile(paths[0], edit(data), 0o644))
}

func flipBit(data []byte) []byte { data[len(data)/3] ^= 1; return data }
func cut(data []byte) []byte     { return data[:len(data)/2] }

func replace(from, to string) func([]byte) []byte {
	return func(data []byte) []byte {
		if !bytes.Contains(data, []byte(from)) {
			panic("the manifest does not have " + from)
		}
		return bytes.ReplaceAll(data, []byte(from), []byte(to))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
