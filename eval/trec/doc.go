// Package trec reads the two text formats that retrieval systems exchange: runs and qrels, plain or gzip, from here or
// from elsewhere.
//
//	PAC-1 Q0 EP-0449433 1 17.25 bm25      a run: topic, Q0, id, rank, score, tag
//	PAC-1 0 EP-0449433-A2 2               qrels of 2010: topic, iteration, id, grade
//	EP-1221372-A2	EP-0229673	1         qrels of 2011: topic, id, grade
//
// Columns are separated by spaces or tabs; a language column may follow a qrels line. A line that is neither is an
// error that names file and line: an evaluation must not guess.
//
// The order of a run is that of its scores, not of its rank column: score descending, equal scores by id descending,
// and scores are equal when they are as float32, as in trec_eval. Ids of documents become those of patents
// (EP-449433-A2 is EP-0449433); what is then twice in a topic is dropped beyond its best rank, and counted. Ids of
// other collections stay as they are.
//
// A run is held in memory: about 50 bytes a line.
package trec
