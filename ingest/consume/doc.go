// Package consume turns the records of the topic patents.xml into rows of documents/.
//
// In: a Kafka topic whose records are one XML document each. Records of other producers, without the headers of
// [schemas], are taken too. Out: Parquet files of the table documents, one chain of files for each partition (package
// chain), and the documents that cannot be read as dead letters in patents.dlq.
//
// Promised:
//   - Every record gives exactly one row, or is a dead letter, or is skipped because the newest row of its ucid has the
//     same content (counted as unchanged). Kills, rebalances and owners that do not know they were replaced change
//     nothing in that: the published files are the position, and the dead letters of a file are in their topic before
//     the file is published.
//   - The rows of a partition stand in the order of its records, though they are parsed in parallel.
//   - Memory is bounded by settings: XML in flight (in-flight-bytes), rows of open row groups (row-group-bytes), the
//     newest version of each document (versions-memory, beyond which they go to a file), and about 30 MB for the writer
//     of each partition this process owns. It never depends on the size of the topic or the table.
//   - A broker that goes away is waited for.
//
// Several processes with one group and one workspace share the partitions. Each needs a workspace on a file system with
// link(2) and flock(2). A run reads the four columns of documents/ that tell new documents from unchanged ones before
// its first record: two and a half seconds for a million rows.
//
// The way of a record: package member joins the group and has an owner for each partition (owner.go), which reads
// its records, has them parsed (parse.go) and adds them in order to the open file (file.go), asking versions.go
// what is new.
package consume
