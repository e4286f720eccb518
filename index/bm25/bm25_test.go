package bm25_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/bm25"
	"dssdnet/index/build"
	"dssdnet/index/indextest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// collection is larger than a block of the scorer where the test needs that.
func collection(n int) []schemas.Patent {
	return indextest.Shape{Patents: n, Vocabulary: 3000, Length: 40, Seed: 1}.Make()
}

func TestSearchIsTheTextbook(t *testing.T) {
	patents := collection(900)
	ix := built(t, patents)
	for name, p := range map[string]bm25.Params{
		"default":    bm25.DefaultParams(),
		"other":      {K1: 2.1, B: 0.3},
		"no length":  {K1: 0.9, B: 0},
		"no counts":  {K1: 0, B: 0.5},
		"all length": {K1: 1.5, B: 1},
	} {
		t.Run(name, func(t *testing.T) {
			brute := bruteForce(patents, texts)
			searcher := bm25.New(ix, p).Searcher()
			for _, topic := range indextest.Topics(patents, 15, 3) {
				words := strings.Fields(topic.Title + " " + topic.Abstract)
				want := brute.Rank(words, p.K1, p.B)
				for _, hits := range []int{1, 10, 1000} {
					got := search(t, searcher, ix, &bm25.Query{Terms: bag(words), Hits: hits})
					if diff := indextest.Differ(got, want, hits); diff != "" {
						t.Fatalf("%s, %d hits: %s", topic.TopicID, hits, diff)
					}
				}
			}
		})
	}
}

func TestLongTextsAndManyRepetitions(t *testing.T) {
	patents := collection(300)
	for i := range patents { // beyond the table of saturations, and beyond a byte of frequency
		patents[i].Abstract += strings.Repeat(" xbaba", 1+7*i) + strings.Repeat(" xdada", i%40)
	}
	ix := built(t, patents)
	p := bm25.DefaultParams()
	query := strings.Fields("xbaba xdada xdada " + patents[7].Title)
	got := search(t, bm25.New(ix, p).Searcher(), ix, &bm25.Query{Terms: bag(query), Hits: 1000})
	if diff := indextest.Differ(got, bruteForce(patents, texts).Rank(query, p.K1, p.B), 1000); diff != "" {
		t.Error(diff)
	}
}

func TestSeveralBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("needs 70,000 patents, which -short leaves out")
	}
	patents := indextest.Shape{Patents: 70_000, Vocabulary: 3000, Length: 8, Seed: 5}.Make()
	ix := built(t, patents)
	p := bm25.DefaultParams()
	query := strings.Fields(patents[40_000].Title + " " + patents[66_000].Abstract)
	got := search(t, bm25.New(ix, p).Searcher(), ix, &bm25.Query{Terms: bag(query), Hits: 2000})
	if diff := indextest.Differ(got, bruteForce(patents, texts).Rank(query, p.K1, p.B), 2000); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsAddUp(t *testing.T) {
	patents := collection(400)
	ix := built(t, patents, "text=title+abstract", "claims=claims")
	p := bm25.DefaultParams()
	words := strings.Fields(patents[5].Claims)
	var terms []bm25.Term
	for field, weight := range []float64{1, 0.5} {
		for _, term := range bag(words) {
			term.Field, term.Weight = field, term.Weight*weight
			terms = append(terms, term)
		}
	}
	got := search(t, bm25.New(ix, p).Searcher(), ix, &bm25.Query{Terms: terms, Hits: 400})

	sum := make(map[string]float64)
	for _, s := range bruteForce(patents, texts).Rank(words, p.K1, p.B) {
		sum[s.ID] += s.Score
	}
	claims := func(p schemas.Patent) string { return p.Claims }
	for _, s := range bruteForce(patents, claims).Rank(words, p.K1, p.B) {
		sum[s.ID] += 0.5 * s.Score
	}
	if len(got) != len(sum) {
		t.Fatalf("%d hits, want %d", len(got), len(sum))
	}
	for i, hit := range got {
		if want := sum[hit.ID]; hit.Score < want*(1-1e-9) || hit.Score > want*(1+1e-9) {
			t.Errorf("%s has %v, want %v", hit.ID, hit.Score, want)
		}
		if i > 0 && hit.Score > got[i-1].Score {
			t.Errorf("rank %d has a higher score than the one before", i+1)
		}
	}
}

func TestRestrictions(t *testing.T) {
	patents := collection(600)
	ix := built(t, patents)
	searcher := bm25.New(ix, bm25.DefaultParams()).Searcher()
	words := strings.Fields(patents[5].Abstract + " " + patents[9].Abstract)
	query := bm25.Query{Terms: bag(words), Hits: 600}
	all := search(t, searcher, ix, &query)
	byID := make(map[string]schemas.Patent)
	for _, p := range patents {
		byID[p.PatentID] = p
	}
	shares := func(p schemas.Patent) bool {
		return slices.Contains(p.IPCSubclasses, "A61K") || slices.Contains(p.IPCSubclasses, "H01L")
	}
	day := schemas.Date(12000)
	favoured := ix.Patents().WithSubclass([]string{"H01L", "A61K", "Q00Q"})
	excluded, _ := ix.Patents().Find(all[0].ID)

	tests := map[string]struct {
		edit func(*bm25.Query)
		keep func(indextest.Scored) (float64, bool)
	}{
		"exclude": {
			func(q *bm25.Query) { q.Exclude = []uint32{excluded} },
			func(s indextest.Scored) (float64, bool) { return s.Score, s.ID != all[0].ID },
		},
		"before": {
			func(q *bm25.Query) { q.Before = &day },
			func(s indextest.Scored) (float64, bool) {
				published := byID[s.ID].PublicationDate
				return s.Score, published == nil || *published < day
			},
		},
		"filter": {
			func(q *bm25.Query) { q.Favoured, q.Filter = favoured, true },
			func(s indextest.Scored) (float64, bool) { return s.Score, shares(byID[s.ID]) },
		},
		"boost": {
			func(q *bm25.Query) { q.Favoured, q.Boost = favoured, 1.5 },
			func(s indextest.Scored) (float64, bool) {
				if shares(byID[s.ID]) {
					return s.Score * 1.5, true
				}
				return s.Score, true
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var want []indextest.Scored
			for _, s := range all {
				if score, keep := test.keep(s); keep {
					want = append(want, indextest.Scored{ID: s.ID, Score: score})
				}
			}
			slices.SortStableFunc(want, func(a, b indextest.Scored) int {
				switch {
				case a.Score > b.Score:
					return -1
				case a.Score < b.Score:
					return 1
				}
				return strings.Compare(a.ID, b.ID)
			})
			if len(want) == 0 || slices.Equal(want, all) {
				t.Fatalf("the restriction leaves %d of %d hits: nothing is tested", len(want), len(all))
			}
			q := query
			test.edit(&q)
			for _, hits := range []int{600, 20} {
				q.Hits = hits
				if got := search(t, searcher, ix, &q); !slices.Equal(got, want[:min(hits, len(want))]) {
					t.Errorf("%d hits: got %d, want %d\n%v\n%v", hits, len(got), len(want), got[:5], want[:5])
				}
			}
		})
	}
}

func TestExplainAddsUpToTheScore(t *testing.T) {
	patents := collection(400)
	ix := built(t, patents)
	searcher := bm25.New(ix, bm25.DefaultParams()).Searcher()
	query := &bm25.Query{Terms: bag(strings.Fields(patents[5].Abstract + " unheardof")), Hits: 400}
	hits, err := searcher.Search(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	for rank, hit := range hits {
		if rank%37 != 0 {
			continue
		}
		e, err := searcher.Explain(t.Context(), query, hit.Patent)
		if err != nil {
			t.Fatal(err)
		}
		if e.Score != hit.Score || e.Rank != rank+1 || len(e.Shares) != len(query.Terms) {
			t.Errorf("rank %d, score %v: explained as rank %d, score %v of %d terms", rank+1, hit.Score, e.Rank, e.Score, len(e.Shares))
		}
	}
}

func TestSearchersAndCacheSizesGiveTheSameBits(t *testing.T) {
	patents := collection(900)
	want := make(map[int][]indextest.Scored)
	for _, cache := range []int64{0, 5000, 1 << 30} {
		ix := openWith(t, workspaceOf(t, patents), cache)
		scorer := bm25.New(ix, bm25.DefaultParams())
		topics := indextest.Topics(patents, 24, 9)
		got := make([][]indextest.Scored, len(topics))
		var group errgroup.Group
		group.SetLimit(8)
		for i, topic := range topics {
			group.Go(func() error {
				got[i] = search(t, scorer.Searcher(), ix, &bm25.Query{Terms: bag(strings.Fields(topic.Abstract)), Hits: 50})
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		if stats := ix.Cache(); stats.Bytes > cache || stats.Misses == 0 {
			t.Errorf("a cache of %d bytes has %+v", cache, stats)
		}
		for i := range topics {
			if want[i] == nil {
				want[i] = got[i]
			}
			if !slices.Equal(want[i], got[i]) {
				t.Errorf("topic %d with a cache of %d bytes differs", i, cache)
			}
		}
	}
}

func TestEmptyQueries(t *testing.T) {
	ix := built(t, collection(50))
	searcher := bm25.New(ix, bm25.DefaultParams()).Searcher()
	for name, q := range map[string]bm25.Query{
		"no terms":      {Hits: 10},
		"unknown terms": {Hits: 10, Terms: bag([]string{"unheardof"})},
	} {
		if hits, err := searcher.Search(t.Context(), &q); err != nil || len(hits) != 0 {
			t.Errorf("%s: %v, %v", name, hits, err)
		}
	}
	if _, err := searcher.Search(t.Context(), &bm25.Query{}); err == nil {
		t.Error("a query for no hits succeeded")
	}
}

func texts(p schemas.Patent) string { return p.Title + " " + p.Abstract }

func bruteForce(patents []schemas.Patent, text func(schemas.Patent) string) *indextest.BruteForce {
	documents := make(map[string][]string)
	for _, p := range patents {
		documents[p.PatentID] = strings.Fields(text(p))
	}
	return indextest.NewBruteForce(documents)
}

// bag makes the terms of a query of words.
func bag(words []string) []bm25.Term {
	var terms []bm25.Term
	for _, word := range words {
		at := slices.IndexFunc(terms, func(t bm25.Term) bool { return t.Text == word })
		if at < 0 {
			terms = append(terms, bm25.Term{Text: word})
			at = len(terms) - 1
		}
		terms[at].Weight++
	}
	return terms
}

func search(t *testing.T, s *bm25.Searcher, ix *index.Index, q *bm25.Query) []indextest.Scored {
	t.Helper()
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var scored []indextest.Scored
	for _, hit := range hits {
		scored = append(scored, indextest.Scored{ID: ix.Patents().ID(hit.Patent), Score: hit.Score})
	}
	return scored
}

func built(t *testing.T, patents []schemas.Patent, fields ...string) *index.Index {
	t.Helper()
	return openWith(t, workspaceOf(t, patents, fields...), 1<<20)
}

// workspaceOf builds an index of several segments and an increment.
func workspaceOf(t *testing.T, patents []schemas.Patent, fields ...string) workspace.Dir {
	t.Helper()
	ws := workspace.Dir(t.TempDir())
	c := build.Default()
	c.Workspace, c.Analyzer, c.Workers, c.BuildBytes, c.MaxDeltaShare = ws, analysis.Words, 3, 16<<20, 1
	if fields != nil {
		c.Fields = fields
	}
	before := slices.Clone(patents[:len(patents)-len(patents)/10])
	before[3].Abstract = "old text"
	before = append(before, schemas.Patent{PatentID: "WO-1", Title: "will be deleted " + patents[5].Abstract})
	for _, state := range [][]schemas.Patent{before, patents} {
		indextest.WritePatents(t, ws, state, 500)
		if _, err := build.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return ws
}

func openWith(t *testing.T, ws workspace.Dir, cache int64) *index.Index {
	t.Helper()
	dir, err := index.Current(ws.Table("index"))
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(t.Context(), dir, index.Options{CacheBytes: cache})
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
