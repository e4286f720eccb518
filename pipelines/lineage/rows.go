package lineage

import (
	"strings"

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

// rowsWritten is how many rows of the named data a stage's result says it wrote. ok is false where it doesn't say.
func rowsWritten(result any, name string) (n int64, ok bool) {
	table, _, _ := strings.Cut(name, "/")
	switch r := result.(type) {
	case publish.Result:
		return r.Documents, table == "kafka"
	case consume.Result:
		return r.Documents, table == "documents"
	case merge.Result:
		return r.Patents, table == "patents"
	case topics.Result:
		return r.Topics, table == "topics"
	case qrels.Result:
		return r.RowsWritten, table == "qrels"
	case search.Result:
		return r.Rows, table == "pools"
	case fuse.Result:
		return r.Rows, table == "pools"
	case sampler.Result:
		pairs := r.Counts.Train.Positives + r.Counts.Train.Negatives + r.Counts.Valid.Positives + r.Counts.Valid.Negatives
		return pairs, table == "pairs"
	case rerank.Result:
		return int64(r.Rows), table == "runs"
	}
	return 0, false
}
