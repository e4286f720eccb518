// Package index is the read side of the BM25 index: what lies in index/<build>/, opening it, and the decoded
// postings, document lengths and patent attributes that scoring needs. The stages are the folders below it:
//
//	index/build    patents/ → index/<build>/
//	index/search   topics/ + index/ → pools/<name>/
//	index/fuse     pools/ → pools/<name>/
//	index/enqueue  topics/ → Kafka topic queries
//	index/worker   Kafka topic queries + index/ → pools/<name>/
//	index/publish  pools/<name>/ → Kafka topic pools
//	index/inspect  questions: stats, explain, ad-hoc searches
//
// and the parts they share:
//
//	index/analysis  text → terms
//	index/bm25      exact BM25 over an open index
//	index/query     topic → query
//	index/pool      pools on disk, TREC run files, pool quality
//
// # A build on disk
//
// index/<build>/ is a Bluge index (ice segments, version 1) with a manifest.json beside its files. It never changes
// once it has its name; index/CURRENT holds the name of the build that readers take. The name is a hash of the
// content: the analyzer, the fields, and the content hash of every patent. So the same patents give the same name,
// built in one go or in increments, on any number of cores, and a pool says exactly what it was drawn from.
//
// An increment is a new build: the segments of the last one, hard-linked, a segment with the patents that are new or
// changed, and a snapshot in which older versions and vanished patents are deleted. Segments are not merged.
//
// A Bluge document has the patent id as _id, one unstored bag of terms per configured field, and one stored value,
// see [Record]. Bluge's own scoring is not used: it has a wrong idf, and average lengths that drift with merges. N,
// the average length and document frequencies are computed from what is live, see [Field] and [Index.Postings].
//
// # Order
//
// An open index numbers its patents by rank of patent id (the ordinal). Segments, increments and the goroutines that
// built it leave no trace in the numbers, hence none in the order of ties or in the last bit of a score.
package index
