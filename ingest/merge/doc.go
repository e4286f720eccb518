// Package merge makes patents/ from documents/: one row per patent, each section from the newest document that has
// it.
//
// # The rule
//
// Of the rows of one ucid the newest counts: by date_produced (none is the oldest), then by the Kafka record's
// timestamp, topic, partition and offset. When the newest row's status is deleted, the document is gone.
//
// The documents of a patent are ordered newest first: by kind (the letter: C, B, any other, A, none; then the digit,
// 9 to 0, none), then by publication date (none is the oldest), then by ucid, the greater first. So an EP patent
// reads B9 B8 B3 B2 B1 A9 A8 A4 A3 A2 A1, and a US one E and P before A1. Title, abstract, claims and description,
// each in English, German and French, and the family come from the first document that has one; the dates are the
// earliest of all; subclasses are united; of citations of one patent the strongest category stays (X, Y, A, others).
//
// The order is total, so the same documents give the same rows in whatever order, files and batches they came.
//
// # The files
//
// patents/ is cut into files of consecutive patent ids, in byte order. Where the cuts lie follows from the patents
// alone, never from the history of merges: ids are a tree of their characters, a node with at most FileBytes of text
// is one file, neighbouring small nodes of one parent share a file, and a file is named after the first node in it:
// patents-EP-012.parquet starts with EP-012. So the files of one big merge and of many small ones are equal byte by
// byte. Only a single patent can exceed FileBytes.
//
// # How
//
//  1. Plan. DuckDB reads narrow columns and decides which rows count, which patents are touched by documents files
//     that no earlier merge has seen, and where the files are cut.
//  2. Gather. The rows of touched patents, found by row number, are read once, cut down to what a patent needs, and
//     written as runs sorted by patent id into the temporary folder (an external merge sort).
//  3. Write. File by file, the runs are merged with the old patents/ file of that range: touched patents are made
//     anew, the others are copied. A file without touched patents is linked, not read.
//
// The first merge of N bytes reads N, writes and reads N compressed in the temporary folder, and writes patents/;
// nothing depends on the order of the documents. An incremental merge reads narrow columns, the rows of touched
// patents, and the patents/ files around them.
//
// DuckDB does not see the long texts: one GROUP BY patent_id with arg_max over them keeps them all in memory, and fails
// at 4.5 GB of text in 1 GiB.
//
// Measured on two cores shared with other work, MemoryLimit 1GiB, 2.6 million documents of 1.3 million patents in
// random order, 18.1 GB of text: 240 s (75 MB a second and core), 797 MB resident at most, 9.7 GB of runs, patents/
// of 4.4 GB. BenchmarkMerge repeats it small.
//
// Memory is bounded by MemoryLimit whatever the size of documents/: DuckDB spills, runs have a fixed size, and
// writing holds one block per run and one row group per thread. One patent's documents are held at a time, so the cap
// on the size of a document, set where documents are read, must fit.
//
// # Promises
//
// The new patents/ is made in the temporary folder of the workspace and swapped in by one rename together with its
// manifest.json, which lists the documents files merged and the files written, with hashes. A killed or failed merge
// leaves the old patents/ as it was, and the next merge removes what was left over. Two merges of one workspace
// exclude each other. Without new documents files the merge is skipped.
package merge
