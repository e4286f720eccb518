// Package sampler makes what a trainer eats: label-balanced pairs with domain labels, and test groups.
//
// In: patents/, topics/, qrels/ and one or more pools/<name>/ of one index build.
//
// Out: pairs/<name>/ with
//
//	train-*.arrow valid-*.arrow   pairs with their texts: schemas.Pairs
//	test-*.arrow texts.arrow      topic x pool in pool order, and the texts of both: schemas.Groups, schemas.Texts
//	README.md manifest.json       the dataset card, counts, checks, hashes
//	jsonl/                        with format jsonl, the pairs for sentence-transformers and Tevatron
//
// A positive is a gold that is in its topic's pool. Its negatives are drawn by a strategy, one file each:
//
//	random               uniform over the library (negative_random.go)
//	pool                 uniform over a rank window of the topic's pool (negative_pool.go)
//	pool-same-subclass   the same, sharing an IPC subclass (negative_pool_same_subclass.go)
//	domain-balanced      of the same t as the positive (negative_domain_balanced.go); when it is the only strategy,
//	                     positives are thinned as well, until t = 1 and t = 0 are equally many (thin.go)
//
// never a gold of any grade, the topic's own patent, its family, or a patent without English title and abstract.
// Golds and pools of topics in test, and every gold that is not reachable, stay in the counts.
//
// # Promises
//
// A draw depends on the seed, the ids of topic and patent, the library, and the topic's own golds and pool: on nothing
// else in the run, no order and no number of workers (stream.go). The library counts because "uniform over it" does:
// the n-th draw of a topic is a place in the order of all patent ids. Two exceptions are what their purpose asks for:
// a topic whose relative is tested is left out, and domain-balanced keeps as many positives of one t as of the other.
//
// Equal inputs and settings give equal bytes. The folder is made in the workspace's temporary folder, read again and
// checked (check.go), and put in place by one rename. A run that fails or is killed leaves the old folder as it was;
// the next one of the same name removes what was left over. A run that would write the same is skipped.
//
// # Memory
//
// The library takes 40 to 60 bytes a patent, twice that while it is loaded: 2.6 million patents are 150 MB. Topics take
// a few hundred bytes, their golds 4 bytes each; a pair takes 16 bytes, twice that while it is drawn, and a positive 12
// more for its place in the order. Pools and texts go through temporary files in the workspace: 4 bytes a pool row, and
// each needed text once, with 24 bytes of its place in memory. A writer holds one record batch, a reader one page of
// each column that it reads.
package sampler
