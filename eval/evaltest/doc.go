// Package evaltest makes small workspaces for the tests of eval: patents, topics, qrels, a pool, and run files that
// re-rank it.
package evaltest
