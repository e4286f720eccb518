package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/bm25"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/index/peers"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// bench is a collection like the title and abstract of patents: 120 words each, topics of about 110 distinct terms.
// DSSDNET_BENCH_PATENTS sets its size, DSSDNET_BENCH_DIR keeps it from one run to the next: a workspace in a folder
// with the size as its name, on which the commands work too.
var bench = sync.OnceValues(func() (*benchWorld, error) {
	n := 50_000
	if text := os.Getenv("DSSDNET_BENCH_PATENTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	dir := os.Getenv("DSSDNET_BENCH_DIR")
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "dssdnet-bench-"); err != nil {
			return nil, err
		}
		removeLater = dir
	}
	w := &benchWorld{Dir: workspace.Dir(filepath.Join(dir, strconv.Itoa(n)))}
	return w, w.fill(n)
})

var removeLater string

func TestMain(m *testing.M) {
	code := m.Run()
	if removeLater != "" {
		_ = os.RemoveAll(removeLater)
	}
	os.Exit(code)
}

type benchWorld struct {
	workspace.Dir
	texts  []string // of the topics that are timed
	topics [][]bm25.Term
}

const (
	benchTopics = 200  // that are timed
	allTopics   = 3000 // in topics/
)

// fill writes the patents and draws the topics.
func (w *benchWorld) fill(n int) error {
	language := indextest.NewLanguage(max(30_000, 3*n/2), 1)
	var topics []schemas.Topic
	for i := range allTopics {
		topics = append(topics, schemas.Topic{TopicID: fmt.Sprint(i), Set: "made-up", Split: "test", Lang: "en", Abstract: language.Text(150)})
	}
	for _, topic := range topics[:benchTopics] {
		w.texts = append(w.texts, topic.Abstract)
		w.topics = append(w.topics, wordBag(topic.Abstract))
	}
	if _, err := os.Stat(filepath.Join(w.Table("patents"), "patents-00000.parquet")); err == nil {
		return nil
	}
	err := indextest.WriteRows(schemas.Topics, filepath.Join(w.Table("topics"), "made-up.parquet"), topics)
	if err != nil {
		return err
	}
	const perFile = 50_000
	for start := 0; start < n; start += perFile {
		var patents []schemas.Patent
		for i := start; i < min(n, start+perFile); i++ {
			patents = append(patents, schemas.Patent{
				PatentID: fmt.Sprintf("EP-%07d", i), Title: language.Text(8), Abstract: language.Text(98),
			})
		}
		err := indextest.WriteRows(schemas.Patents, filepath.Join(w.Table("patents"), fmt.Sprintf("patents-%05d.parquet", start/perFile)), patents)
		if err != nil {
			return err
		}
	}
	return nil
}

func wordBag(text string) []bm25.Term {
	counts := make(map[string]float64)
	for _, word := range strings.Fields(text) {
		counts[word]++
	}
	var terms []bm25.Term
	for word, n := range counts {
		terms = append(terms, bm25.Term{Text: word, Weight: n})
	}
	return terms
}

func (w *benchWorld) build(b *testing.B, edit func(*build.Config)) build.Result {
	b.Helper()
	c := build.Default()
	c.Workspace, c.Analyzer = w.Dir, analysis.Words
	if edit != nil {
		edit(&c)
	}
	result, err := build.Run(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	return result
}

// used is the processor time of the process until now: other work on the machine does not show in it.
func used() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func world(b *testing.B) *benchWorld {
	b.Helper()
	w, err := bench()
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// BenchmarkBuild builds the index from nothing.
func BenchmarkBuild(b *testing.B) {
	w := world(b)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var result build.Result
			from := used()
			for b.Loop() {
				result = w.build(b, func(c *build.Config) { c.Force, c.Workers = true, workers })
			}
			b.ReportMetric(float64(result.Patents)*float64(b.N)/b.Elapsed().Seconds(), "patents/s")
			b.ReportMetric(float64(result.Patents)*float64(b.N)/(used()-from).Seconds(), "patents/cpu-s")
			b.ReportMetric(float64(result.Bytes)/float64(result.Patents), "index-B/patent")
		})
	}
}

// searching is an open index and what a pool of one topic takes.
type searching struct {
	*benchWorld
	dir   string
	ix    *index.Index
	pools [][]bm25.Hit // of the topics, when they are drawn
	each  float64      // processor time for a topic, in ms
	files string       // folder with the peers' files, when they are written
	ids   []string     // the patents in them
}

// BenchmarkSearch draws pools of 1,000 with the index and, in the same run, with Bluge's own searcher and collector
// with its formula corrected, with Lucene where there are java and mvn, and with bm25s where DSSDNET_PYTHON has it.
// Times are processor time; x is how many times that of the index. An iteration is a pass over the topics; Bluge has
// fewer of them, as DSSDNET_BENCH_BLUGE_TOPICS says.
func BenchmarkSearch(b *testing.B) {
	s := &searching{benchWorld: world(b)}
	s.build(b, nil)
	var err error
	if s.dir, err = index.Current(s.Table("index")); err != nil {
		b.Fatal(err)
	}
	from := used()
	if s.ix, err = index.Open(b.Context(), s.dir, index.Options{CacheBytes: 4 << 30}); err != nil {
		b.Fatal(err)
	}
	opened := used() - from
	defer func() { _ = s.ix.Close() }()
	from = used()
	terms, postings := s.decode(b)
	decoded := used() - from

	b.Run("exact", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.draw(b)
		}
		b.ReportMetric(s.each, "cpu-ms/topic")
		b.ReportMetric(float64(terms)/benchTopics, "terms/topic")
		b.ReportMetric(float64(postings)/benchTopics, "postings/topic")
		b.ReportMetric(opened.Seconds(), "open-cpu-s")
		b.ReportMetric(float64(decoded.Nanoseconds())/float64(postings), "decode-cpu-ns/posting")
	})
	if s.pools == nil {
		s.draw(b)
	}
	b.Run("bluge", s.bluge)
	b.Run("lucene", func(b *testing.B) {
		if !peers.HasLucene() {
			b.Skip("needs java and mvn")
		}
		s.peer(b, func(dir string) (*peers.Figures, error) { return peers.Lucene(b.Context(), dir, poolHits, peers.Bytes) })
	})
	b.Run("bm25s", func(b *testing.B) {
		python := os.Getenv("DSSDNET_PYTHON")
		if !peers.HasBM25S(python) {
			b.Skip("needs DSSDNET_PYTHON to name a Python with bm25s and numba")
		}
		s.peer(b, func(dir string) (*peers.Figures, error) { return peers.BM25S(b.Context(), python, dir, poolHits) })
	})
	if s.files != "" {
		_ = os.RemoveAll(s.files)
	}
}

const poolHits = 1000

// decode takes all postings of the topics into the cache: each list is decoded once, however many topics follow.
func (s *searching) decode(b *testing.B) (terms, postings int) {
	b.Helper()
	for _, topic := range s.topics {
		for _, term := range topic {
			list, err := s.ix.Postings(0, term.Text)
			if err != nil {
				b.Fatal(err)
			}
			terms, postings = terms+1, postings+len(list.Docs)
		}
	}
	return terms, postings
}

// draw draws the pool of every topic.
func (s *searching) draw(b *testing.B) {
	b.Helper()
	searcher := bm25.New(s.ix, bm25.DefaultParams()).Searcher()
	s.pools = s.pools[:0]
	from := used()
	for _, topic := range s.topics {
		hits, err := searcher.Search(b.Context(), &bm25.Query{Terms: topic, Hits: poolHits})
		if err != nil {
			b.Fatal(err)
		}
		s.pools = append(s.pools, slices.Clone(hits))
	}
	s.each = millis(used()-from) / benchTopics
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// bluge searches the same files with Bluge.
func (s *searching) bluge(b *testing.B) {
	topics := s.topics[:min(benchTopics, benchSize(b, "DSSDNET_BENCH_BLUGE_TOPICS", 20))]
	field, p := s.ix.Fields()[0], bm25.DefaultParams()
	bluge, err := indextest.OpenBluge(s.dir, field.Name,
		indextest.BlugeStats{Patents: field.Patents, AverageLength: field.AverageLength, K1: p.K1, B: p.B})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = bluge.Close() }()
	b.ReportAllocs()
	var took time.Duration
	for b.Loop() {
		for i, topic := range topics {
			weights := make(map[string]float64)
			for _, term := range topic {
				weights[term.Text] = term.Weight
			}
			from := used()
			scored, err := bluge.Search(b.Context(), weights, poolHits)
			took += used() - from
			if err != nil {
				b.Fatal(err)
			}
			if len(scored) != len(s.pools[i]) {
				b.Fatalf("topic %d: %d hits, the index has %d", i, len(scored), len(s.pools[i]))
			}
		}
	}
	each := millis(took) / float64(len(topics)*b.N)
	b.ReportMetric(each, "cpu-ms/topic")
	b.ReportMetric(each/s.each, "x")
}

// peer hands the collection to another engine and reports what it says.
func (s *searching) peer(b *testing.B, measure func(dir string) (*peers.Figures, error)) {
	b.Helper()
	if s.files == "" {
		s.export(b)
	}
	var f *peers.Figures
	for b.Loop() {
		var err error
		if f, err = measure(s.files); err != nil {
			b.Fatal(err)
		}
	}
	hits, err := peers.Hits(f.AllRun, s.ids)
	if err != nil {
		b.Fatal(err)
	}
	overlap := 0.0
	for i, pool := range s.pools {
		var want []string
		for _, hit := range pool {
			want = append(want, s.ix.Patents().ID(hit.Patent))
		}
		overlap += peers.Overlap(hits[strconv.Itoa(i)], want) / benchTopics
	}
	b.ReportMetric(f.All, "cpu-ms/topic")
	b.ReportMetric(f.All/s.each, "x")
	if f.Skipping > 0 {
		b.ReportMetric(f.Skipping, "skipping-cpu-ms/topic")
		b.ReportMetric(f.Skipping/s.each, "x-skipping")
		b.ReportMetric(f.MergeCPU, "merge-cpu-s")
	}
	b.ReportMetric(float64(f.Documents)/f.BuildCPU, "patents/cpu-s")
	b.ReportMetric(float64(f.Bytes)/float64(f.Documents), "index-B/patent")
	b.ReportMetric(float64(f.PeakMemory)/1e6, "peak-MB")
	b.ReportMetric(overlap, "overlap")
}

// export writes the peers' files.
func (s *searching) export(b *testing.B) {
	b.Helper()
	s.files = filepath.Join(string(s.Dir), "peers")
	if err := os.MkdirAll(s.files, 0o755); err != nil {
		b.Fatal(err)
	}
	var err error
	if s.ids, err = peers.WriteDocuments(s.files, s.Table("patents"), analysis.Words); err != nil {
		b.Fatal(err)
	}
	var topics []peers.Topic
	for i, text := range s.texts {
		topics = append(topics, peers.Topic{ID: strconv.Itoa(i), Terms: strings.Fields(text)})
	}
	if err := peers.WriteTopics(s.files, topics); err != nil {
		b.Fatal(err)
	}
}

func benchSize(b *testing.B, variable string, otherwise int) int {
	b.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s is %q, must be a whole number from 1 on", variable, text)
	}
	return n
}
