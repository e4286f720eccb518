// Package query answers SQL over the tables of a workspace.
//
// Every table that exists is a view of DuckDB:
//
//	documents      the newest row of every ucid; documents_all has every row
//	patents        with title_en, abstract_en, claims_en and description_en beside the columns of these sections
//	topics, qrels  all sets
//	pools          all pools, each row with the name of its pool
//	metrics        all reports, each row with the name of its report
//
// A query is one statement: SELECT in all of DuckDB's forms (WITH, FROM, VALUES, DESCRIBE, SUMMARIZE, SHOW ...),
// EXPLAIN, or COPY ... TO, which writes a file wherever the caller may write. The database is in memory and the tables
// are views, so nothing else that SQL can do would outlive the query; it is refused. This protects from mistakes, not
// from malice: SQL can read every file that the caller can read.
//
// csv, json, jsonl and parquet stream: rows go from DuckDB through a pipe to the output, and memory is bounded by
// MemoryLimit. table is for looking: at most MaxRows rows, cut to the width of a terminal.
package query
