// Package search draws the candidate pool of every topic from the index: `dssdnet index search --pool NAME`.
//
// In: topics/, the current build of index/, and qrels/ if there are any. Out: pools/<name>/ as package pool describes
// it, a TREC run file if asked for, and the stage's manifest with the pool's quality.
//
// Promises: the pool is exact BM25, see package bm25, and its bytes depend on the topics, the content of the index
// and the settings only. A topic with an empty query or fewer hits than asked for is kept and reported. The pool
// appears in one step; a run that is killed leaves the old one. With the same index, topics, qrels and settings the
// run is skipped. Memory: the cache of postings, what an open index takes, and per worker the postings of one query.
package search
