// Package fuse makes one pool of several by reciprocal rank fusion: `dssdnet index fuse POOL POOL...`.
//
// In: pools/<name>/ of each, and for the quality of the result qrels/ and the index. Out: pools/<name>/ as package
// pool describes it. The score of a patent is the sum over the pools that have it of 1 / (k + rank); equal
// scores are ordered by patent id. Topics of any of the pools are kept. The run is skipped when nothing has changed.
// Memory: one topic's candidates at a time, and the attributes of an open index.
//
// Cormack, Clarke and Buettcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods,
// SIGIR 2009; k = 60 is theirs.
package fuse
