// Package eval is the stage `dssdnet eval`: runs and qrels in, reports/<name>/ out.
//
// In: run files (package trec) and a pool of the workspace, the qrels of a set or a file, and, as far as the workspace
// has them, topics/ and patents/ for the slices.
//
// Out: reports/<name>/ with
//
//	topics.parquet   one row per run, topic and measure: schemas.Metrics, the view `metrics`
//	eval.json        averages, slices and counts: Result
//	aggregated.csv   a line a run, a column a measure
//	perquery.csv     name,qid,measure,value
//	slices.csv       name,slice,part,topics,golds,dropped,measure,value
//
// # Promises
//
// An average is over every topic of the qrels that has a gold: a topic that a run has no ranking for scores 0, and is
// counted. n of a topic is all its golds, those outside the pool included. See package measure for the formulas.
//
// A slice of golds (slice.go) measures with the golds of the slice only, in the unchanged ranking, as DAPFAM does; topics
// without such golds are left out of its average, and counted. A slice of topics is the average over these topics.
//
// Nothing is guessed: a line that cannot be read, a score that is no number, a run of other topics or of another pool
// is refused; what can be a matter of course (duplicates, ids of documents, missing topics) is counted and said.
//
// Equal inputs give equal bytes, in any order of the lines of the inputs. One run is in memory at a time.
package eval
