package pool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
	"dssdnet/schemas"
)

// Query says how the pool of a topic came about: one line of queries.jsonl.
type Query struct {
	TopicID  string   `json:"topic_id"`
	Terms    int      `json:"terms"`    // terms of the query that a patent has
	Hits     int      `json:"hits"`     // candidates in the pool
	Excluded int      `json:"excluded"` // patents of the index that were no candidates: the topic's own and its family
	Notes    []string `json:"notes,omitempty"`
	// Subclasses are the topic's IPC subclasses.
	Subclasses []string `json:"ipc_subclasses,omitempty"`
}

// groupRows is about how many rows are held in memory until a row group of the file is complete.
const groupRows = 100_000

// Writer makes a pool. Call Add in the order of the topics, then Commit, and Discard in any case.
type Writer struct {
	dir, temp string
	table     *os.File
	rows      *parquet.GenericWriter[schemas.Pool]
	pending   int
	queries   *os.File
	lines     *bufio.Writer
}

// NewWriter starts a pool that will stand at dir. The caller holds the lock.
func NewWriter(dir string) (w *Writer, err error) {
	w = &Writer{dir: dir}
	if w.temp, err = durable.TempDir(dir); err != nil {
		return nil, fmt.Errorf("make a folder for the pool: %w", err)
	}
	w.table, err = os.Create(filepath.Join(w.temp, PoolFile))
	if err == nil {
		w.queries, err = os.Create(filepath.Join(w.temp, QueriesFile))
	}
	if err != nil {
		w.Discard()
		return nil, fmt.Errorf("start pool %s: %w", dir, err)
	}
	w.rows = schemas.NewWriter[schemas.Pool](schemas.Pools, w.table)
	w.lines = bufio.NewWriter(w.queries)
	return w, nil
}

// Add writes the candidates of a topic, best first.
func (w *Writer) Add(query Query, candidates []schemas.Pool) error {
	line, err := json.Marshal(query)
	if err != nil {
		return err
	}
	if _, err := w.lines.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", w.queries.Name(), err)
	}
	_, err = w.rows.Write(candidates)
	if w.pending += len(candidates); err == nil && w.pending >= groupRows {
		err = w.rows.Flush()
		w.pending = 0
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", w.table.Name(), err)
	}
	return nil
}

// Commit puts the pool in place of an older one, with its manifest.
func (w *Writer) Commit(m manifest.Manifest) error {
	data, err := encode(m)
	if err != nil {
		return err
	}
	err = errors.Join(
		w.rows.Close(), w.table.Sync(), w.table.Close(),
		w.lines.Flush(), w.queries.Sync(), w.queries.Close(),
		durable.WriteFile(filepath.Join(w.temp, manifestFile), data),
	)
	if err != nil {
		return fmt.Errorf("finish pool %s: %w", w.dir, err)
	}
	return durable.SwapDir(w.temp, w.dir)
}

// Discard drops what was written. It is safe after Commit.
func (w *Writer) Discard() {
	for _, f := range []*os.File{w.table, w.queries} {
		if f != nil {
			_ = f.Close()
		}
	}
	_ = os.RemoveAll(w.temp)
}
