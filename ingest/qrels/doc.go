// Package qrels turns relevance judgements as CLEF-IP distributes them into qrels/.
//
// In: one text file, plain or gzip. Every form in circulation is read, and every line says itself which one it is:
//
//	PAC-1 0 EP-0449433-A2 2          2010: topic, iteration, document, grade
//	EP-1221372-A2	EP-0229673	1    2011: topic, patent, grade
//
// each with a language column after it or without. A line that fits neither, or another than the first good line
// of the file, is a bad line: counted, listed with its number, never guessed at.
//
// Out: qrels/<set>.parquet, one row per relevant (topic, patent) in the order of topic and patent. Documents become
// their patents, so a patent that is judged by several documents is one row with the highest grade. Rows of grade 0
// or less are left out, and counted. Topic ids stay as written, so that they join topics/.
//
// A topic with more golds than MaxGoldsPerTopic keeps them, flagged broken_topic: 45 topics of 2010 share the same
// 690 patents, which no search report cites. Ids that no office gives (EP-0744164-B) stay as well, for a search that
// does not find them is scored as trec_eval would; they are counted.
//
// The file is replaced in one step. A second run with the same file and settings changes nothing and says so. Memory
// grows with the distinct rows of the one file.
package qrels
