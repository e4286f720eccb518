// Package worker draws pools for topics that come through Kafka: `dssdnet index search --from-topic queries`.
//
// In: a Kafka topic whose records are schemas.QueryMessage, and the current build of the index, which every worker
// holds whole. Out: pools/<name>/, one chain of Parquet files for each partition (package chain), and records that
// are no query as dead letters.
//
// Workers of one group and one workspace share the partitions, any number of them. Sharding the index instead would
// give every shard its own document frequencies, hence other scores.
//
// Promised:
//   - The pool of a topic id comes out once, of the first record with that id, whatever is killed and however often
//     the query is sent. The published files are the position: a file is linked into place under the offset it begins
//     with, and says at which it ends; offsets committed to Kafka are a hint.
//   - All rows of a pool are of one index build and one set of settings. A worker with others refuses to start.
//   - The pool of a topic is the one that `dssdnet index search` draws, to the last bit.
//   - A topic with an empty query has no row, but its line in the metadata of the file.
//   - A broker that goes away is waited for, by a bounded run (--until-end) for no longer than --max-wait.
//
// The way of a record: package member joins the group and has an owner for each partition (owner.go), which reads a
// batch of its records (query.go), ranks them on all cores and publishes their file (file.go).
package worker
