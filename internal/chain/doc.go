// Package chain keeps what was made of a Kafka topic in a folder of Parquet files, so that the files themselves are
// the consumer's position and every record counts exactly once.
//
// Each partition has a chain of files. A file is named by the first offset it covers,
//
//	patents.xml-00002-00000000000000012345.parquet
//
// and says in its metadata which offset is the last (kafka.last_offset): its successor begins with the next one, and
// the first file of every chain with offset 0, whatever the broker still holds. So the chain of a partition covers all
// offsets from 0 on without a hole or an overlap, and [Folder.Recover] finds where to go on by reading it.
//
// A file is published by link(2), which fails when the name is taken. Two owners of a partition, of which one does not
// know yet that it is none any more, both go on from the same offset, hence with the same name: one of them publishes,
// the other gets [ErrTaken], recovers and goes on from there. It does not matter which. (With rename(2), or with the last offset in
// the name, both would have published.) Offsets committed to Kafka are a hint for others and decide nothing.
//
// A kill at any moment leaves at most an unfinished file under a temporary name, which [Folder.Sweep] removes when the
// process that wrote it is gone.
package chain
