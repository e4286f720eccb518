package index_test

import (
	"fmt"
	"os"
	"path/filepath"
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
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// bench is a collection like the title and abstract of patents: 120 words each, topics of about 110 distinct terms.
// DSSDNET_BENCH_PATENTS sets its size, DSSDNET_BENCH_DIR keeps it from one run to the next.
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
	topics [][]bm25.Term
}

// fill writes the patents and draws the topics.
func (w *benchWorld) fill(n int) error {
	language := indextest.NewLanguage(max(30_000, 3*n/2), 1)
	for range 200 {
		w.topics = append(w.topics, wordBag(language.Text(150)))
	}
	if _, err := os.Stat(filepath.Join(w.Table("patents"), "patents-00000.parquet")); err == nil {
		return nil
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

// cpu reports the processor time of an iteration: other work on the machine does not show in it.
func cpu(b *testing.B, from time.Duration) {
	b.ReportMetric(float64((used()-from).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

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

// BenchmarkSearch draws pools of 1,000 with the index and, for comparison, with Bluge's own searcher and collector
// with its formula corrected. An iteration is one topic.
func BenchmarkSearch(b *testing.B) {
	w := world(b)
	w.build(b, nil)
	dir, err := index.Current(w.Table("index"))
	if err != nil {
		b.Fatal(err)
	}
	started := time.Now()
	ix, err := index.Open(b.Context(), dir, index.Options{CacheBytes: 4 << 30})
	if err != nil {
		b.Fatal(err)
	}
	opened := time.Since(started)
	defer func() { _ = ix.Close() }()
	field := ix.Fields()[0]
	p := bm25.DefaultParams()

	b.Run("exact", func(b *testing.B) {
		searcher := bm25.New(ix, p).Searcher()
		var terms, postings int
		for _, topic := range w.topics { // decode first: each list is decoded once, however many topics follow
			for _, term := range topic {
				list, err := ix.Postings(0, term.Text)
				if err != nil {
					b.Fatal(err)
				}
				terms, postings = terms+1, postings+len(list.Docs)
			}
		}
		b.ReportAllocs()
		i, from := 0, used()
		for b.Loop() {
			if _, err := searcher.Search(b.Context(), &bm25.Query{Terms: w.topics[i%len(w.topics)], Hits: 1000}); err != nil {
				b.Fatal(err)
			}
			i++
		}
		cpu(b, from)
		b.ReportMetric(float64(terms)/float64(len(w.topics)), "terms/topic")
		b.ReportMetric(float64(postings)/float64(len(w.topics)), "postings/topic")
		b.ReportMetric(opened.Seconds(), "open-s")
	})
	b.Run("bluge", func(b *testing.B) {
		bluge, err := indextest.OpenBluge(dir, field.Name,
			indextest.BlugeStats{Patents: field.Patents, AverageLength: field.AverageLength, K1: p.K1, B: p.B})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = bluge.Close() }()
		queries := make([]map[string]float64, len(w.topics))
		for i, topic := range w.topics {
			queries[i] = make(map[string]float64)
			for _, term := range topic {
				queries[i][term.Text] = term.Weight
			}
		}
		b.ReportAllocs()
		i, from := 0, used()
		for b.Loop() {
			if _, err := bluge.Search(b.Context(), queries[i%len(queries)], 1000); err != nil {
				b.Fatal(err)
			}
			i++
		}
		cpu(b, from)
	})
}

// BenchmarkDecode decodes all postings of the topics' terms.
func BenchmarkDecode(b *testing.B) {
	w := world(b)
	w.build(b, nil)
	dir, err := index.Current(w.Table("index"))
	if err != nil {
		b.Fatal(err)
	}
	ix, err := index.Open(b.Context(), dir, index.Options{CacheBytes: 0})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = ix.Close() }()
	postings, from := 0, used()
	for b.Loop() {
		postings = 0
		for _, topic := range w.topics {
			for _, term := range topic {
				list, err := ix.Postings(0, term.Text)
				if err != nil {
					b.Fatal(err)
				}
				postings += len(list.Docs)
			}
		}
	}
	b.ReportMetric(float64((used()-from).Nanoseconds())/float64(b.N)/float64(postings), "cpu-ns/posting")
}
