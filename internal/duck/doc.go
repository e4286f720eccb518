// Package duck opens DuckDB in memory with bounded resources: what the merge plans with and what `dssdnet query`
// answers with. Nothing is kept between runs; what does not fit into memory goes to a temporary folder.
//
// DuckDB is linked in statically and needs no network: extensions are neither installed nor loaded on demand.
package duck
