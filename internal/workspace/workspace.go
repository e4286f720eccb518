// Package workspace knows where the tables and states of a run lie on disk.
package workspace

import "path/filepath"

// Dir is the root folder of a workspace. Every stage finds its inputs and puts its outputs below it.
type Dir string

func (d Dir) in(parts ...string) string {
	return filepath.Join(append([]string{string(d)}, parts...)...)
}

// Kafka is the log of the embedded broker.
func (d Dir) Kafka() string { return d.in("kafka") }

// Table is the folder of a Parquet table: documents, patents, topics, qrels.
func (d Dir) Table(name string) string { return d.in(name) }

// Manifests holds the record of every stage run.
func (d Dir) Manifests() string { return d.in("manifests") }

// Temp is the folder for files that nobody needs after the command that made them. It lies in the workspace so
// that a rename out of it stays on one file system.
func (d Dir) Temp() string { return d.in("tmp") }
