// Package build makes the BM25 index of patents/: `dssdnet index build`.
//
// In: the files of patents/, of which only the columns of the configured fields are read, with id, publication day,
// family and IPC subclasses. Out: index/<build>/ as package index describes it, index/CURRENT naming it, and the
// stage's manifest.
//
// A run first compares the patents with the current build by content hash; files that have not changed since are
// not compared. Nothing new: the run is skipped. Few patents new, changed or gone: an increment on top of the
// current build. Many, another analyzer or other fields, a damaged build, or Force: a build from nothing.
//
// Promises: a build becomes visible whole, after it was opened again and its counts, its term statistics and the
// postings of some patents were compared with what was read; killing the run at any moment leaves the current build
// in force, and the next run clears up. The statistics of an increment are those of a build from nothing, and so is
// its name. Two runs on one workspace exclude each other. Memory: BuildBytes, about 70 bytes a patent, and the word
// table of each worker.
package build
