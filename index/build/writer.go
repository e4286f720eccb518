package build

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	bluge "github.com/blugelabs/bluge/index"

	"dssdnet/index"
)

// writer adds segments to the Bluge index in a folder that no reader sees yet. Its methods other than finish are
// safe for concurrent use, and segments are made in the calling goroutine.
type writer struct {
	dir   string
	bluge *bluge.Writer

	mu    sync.Mutex
	async error // first error of Bluge's own goroutines
}

func newWriter(dir string) (*writer, error) {
	w := &writer{dir: dir}
	config := index.BlugeConfig(dir)
	config.AsyncError = func(err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.async == nil {
			w.async = err
		}
	}
	var err error
	if w.bluge, err = bluge.OpenWriter(config); err != nil {
		return nil, fmt.Errorf("open Bluge's writer in %s: %w", dir, err)
	}
	return w, nil
}

// add makes one segment of documents, whose ids are distinct and not in the index. It returns when the segment is on
// disk.
func (w *writer) add(documents []*document) error {
	slices.SortFunc(documents, func(a, b *document) int { return cmp.Compare(a.id, b.id) })
	batch := bluge.NewBatch()
	for _, d := range documents {
		batch.Insert(d)
	}
	if err := w.bluge.Batch(batch); err != nil {
		return fmt.Errorf("write a segment of %d patents to %s: %w", len(documents), w.dir, err)
	}
	return nil
}

// removed is how many patents are taken out in one batch.
const removed = 20_000

// remove takes patents out of the index. It comes before the first add: Bluge finds them by id.
func (w *writer) remove(ids []string) error {
	for some := range slices.Chunk(ids, removed) {
		batch := bluge.NewBatch()
		for _, id := range some {
			batch.Delete(idField(id))
		}
		if err := w.bluge.Batch(batch); err != nil {
			return fmt.Errorf("delete %d patents in %s: %w", len(some), w.dir, err)
		}
	}
	return nil
}

// finish closes the writer, and removes files that the index does not need. A writer that failed is closed by it
// too.
func (w *writer) finish() error {
	err := w.bluge.Close()
	w.mu.Lock()
	err = errors.Join(err, w.async)
	w.mu.Unlock()
	if err != nil {
		return fmt.Errorf("close Bluge's writer in %s: %w", w.dir, err)
	}
	return prune(w.dir)
}

// prune removes all snapshots but the newest, and the segments it does not have. Bluge leaves some when it is closed.
func prune(dir string) error {
	snapshot, err := bluge.OpenReader(index.BlugeConfig(dir))
	if err != nil {
		return fmt.Errorf("open the Bluge index that was just written: %w", err)
	}
	keep := make(map[string]bool)
	for _, segment := range snapshot.Segments() {
		keep[fmt.Sprintf("%012x%s", segment.ID(), bluge.ItemKindSegment)] = true
	}
	if err := snapshot.Close(); err != nil {
		return err
	}
	names, err := index.IndexFiles(dir)
	if err != nil {
		return err
	}
	newest := ""
	for _, name := range names { // hexadecimal of one width: the order of names is that of numbers
		if filepath.Ext(name) == bluge.ItemKindSnapshot {
			newest = name
		}
	}
	keep[newest] = true
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !keep[name] {
			err = errors.Join(err, os.Remove(path))
		} else {
			err = errors.Join(err, os.Chmod(path, 0o644))
		}
	}
	return err
}
