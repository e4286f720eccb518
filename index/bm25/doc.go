// Package bm25 ranks the patents of an open index by BM25, exactly:
//
//	score(Q, D) = sum over t in Q of q(t) * idf(t) * f(t, D) * (k1 + 1) / (f(t, D) + k1 * (1 - b + b * |D| / average))
//	idf(t)      = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5))
//
// N is the number of patents with a term in the field, average their mean length, n(t) the number that have t, and
// q(t) the weight of t in the query: how often it stands there, or 1. Patents without any term in the field count
// neither in N nor in the average: an empty text is no document. A query over several fields adds their scores.
//
// A query is scored term after term into an array of float64 for a block of patents that stays in the processor's
// cache, then the block's best go to a heap. No bound is estimated and nothing is skipped: with a hundred terms and a
// thousand hits there is little to skip. The terms are added in the order of the query, so a score has the same bits
// whatever the number of goroutines, segments or blocks. Equal scores are ordered by patent id.
package bm25
