// Package peers runs other engines on the collection and the queries of an index, to see how their rankings, times and
// sizes compare. Only benchmarks and the command in compare/ use it; nothing that is shipped does.
//
//	lucene/   Peer.java and the pom.xml that names its Lucene: needs java 17 or later, and mvn
//	bm25s/    peer.py: needs a Python with bm25s and numba (pip install bm25s numba), named by DSSDNET_PYTHON
//	compare/  go run ./index/peers/compare: recall and overlap on the topics and qrels of a workspace
//
// The times are measured by the benchmarks of the index: scripts/bench.sh index.
//
// # What is handed over
//
// Two files, a line each document or query: an id, a tab, and analysed terms with spaces between them. So every engine
// ranks the same bags of terms, with the same k1 and b, and only its own formula, rounding and machinery differ. All
// work on one thread and count the processor time of their whole process: runtime, garbage collection and, beyond
// warming up, compilers are in it.
//
// # Why Lucene ranks differently
//
// The formulas are the same but for the factor k1+1, which changes no order. Lucene keeps the length of a document in
// one byte: exact to 39, then 24 and four significant bits of the rest, rounded down, so 120 to 127 are all 120. Scores
// are off by a few percent, and documents near the end of a pool change places with those behind it. With [Exact]
// lengths the pools agree up to float32 rounding.
package peers
