package lineage

import (
	"testing"

	"dssdnet/eval/rerank"
	"dssdnet/index/fuse"
	"dssdnet/index/search"
	"dssdnet/ingest/consume"
	"dssdnet/ingest/merge"
	"dssdnet/ingest/publish"
	"dssdnet/ingest/qrels"
	"dssdnet/ingest/topics"
	"dssdnet/sampler"
)

func TestRowsWritten(t *testing.T) {
	var pairs sampler.Result
	pairs.Counts.Train.Positives, pairs.Counts.Train.Negatives, pairs.Counts.Valid.Positives, pairs.Counts.Valid.Negatives = 1, 2, 3, 4
	for name, c := range map[string]struct {
		result any
		want   int64
	}{
		"kafka/patents.xml": {publish.Result{Documents: 5}, 5},
		"documents":         {consume.Result{Documents: 6, Records: 9}, 6},
		"patents":           {merge.Result{Patents: 7, Documents: 9}, 7},
		"topics":            {topics.Result{Topics: 8}, 8},
		"qrels":             {qrels.Result{RowsWritten: 9, RowsRead: 10}, 9},
		"pools/bm25":        {search.Result{Rows: 11}, 11},
		"pools/fused":       {fuse.Result{Rows: 12}, 12},
		"pairs/plain":       {pairs, 10},
		"runs/first":        {rerank.Result{Rows: 13}, 13},
	} {
		if got, ok := rowsWritten(c.result, name); !ok || got != c.want {
			t.Errorf("%s: %d, %t, want %d", name, got, ok, c.want)
		}
		if _, ok := rowsWritten(c.result, "index"); ok {
			t.Errorf("%T tells the rows of an index", c.result)
		}
	}
	if _, ok := rowsWritten(nil, "patents"); ok {
		t.Error("a step without a result tells rows")
	}
}
