// Package tables reads rows of the workspace's Parquet tables for an evaluation: all rows of few columns, or the texts
// of few patents.
package tables
