package bm25_test

import (
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/index/bm25"
	"dssdnet/index/indextest"
)

func TestSearchIsBlugesOwnWithItsFormulaCorrected(t *testing.T) {
	patents := collection(900)
	ws := workspaceOf(t, patents)
	ix := openWith(t, ws, 1<<20)
	p := bm25.Params{K1: 1.6, B: 0.6}
	field := ix.Fields()[0]
	bluge, err := indextest.OpenBluge(filepath.Join(ws.Table("index"), ix.Name()), field.Name,
		indextest.BlugeStats{Patents: field.Patents, AverageLength: field.AverageLength, K1: p.K1, B: p.B})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := bluge.Close(); err != nil {
			t.Error(err)
		}
	}()
	searcher := bm25.New(ix, p).Searcher()
	for _, topic := range indextest.Topics(patents, 25, 11) {
		terms := bag(strings.Fields(topic.Title + " " + topic.Abstract))
		weights := make(map[string]float64)
		for _, term := range terms {
			weights[term.Text] = term.Weight
		}
		want, err := bluge.Search(t.Context(), weights, len(patents))
		if err != nil {
			t.Fatal(err)
		}
		got := search(t, searcher, ix, &bm25.Query{Terms: terms, Hits: 300})
		if diff := indextest.Differ(got, want, 300); diff != "" {
			t.Errorf("%s: %s", topic.TopicID, diff)
		}
	}
}
