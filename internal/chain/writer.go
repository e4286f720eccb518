package chain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/durable"
	"dssdnet/schemas"
)

// ErrTaken says that another owner of the partition has published a file for the same first offset. What was written is
// dropped: recover, and go on from there.
var ErrTaken = errors.New("another owner of the partition was faster")

// Writer writes the next file of a chain. Call exactly one of Publish and Discard. It is not safe for concurrent use.
type Writer[R any] struct {
	source Source
	name   Name
	path   string
	file   *durable.File
	alive  *alive
	rows   *parquet.GenericWriter[R]
}

// Create begins the file of a chain that covers the offsets from first on, which must be where the chain ends.
func (f *Folder[R]) Create(s Source, first int64) (*Writer[R], error) {
	name := Name{s.Topic, s.Partition, first}
	path := name.Path(f.dir)
	file, alive, err := create(path)
	if err != nil {
		return nil, fmt.Errorf("begin %s: %w", path, err)
	}
	return &Writer[R]{source: s, name: name, path: path, file: file, alive: alive, rows: schemas.NewWriter[R](f.table, file)}, nil
}

// Write appends rows, which may be reused afterwards.
func (w *Writer[R]) Write(rows []R) error {
	if _, err := w.rows.Write(rows); err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return nil
}

// Flush ends the row group: its rows go from memory to the disk.
func (w *Writer[R]) Flush() error {
	if err := w.rows.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return nil
}

// End says where a file ends.
type End struct {
	Last     int64             // last offset it covers; the records there need not have given rows
	LastTime time.Time         // time of the record at Last
	Metadata map[string]string // more for the footer
}

// Publish finishes the file and puts it into the chain. It returns the size in bytes. The error is ErrTaken when
// another owner was faster. Nothing of the file is left after an error.
func (w *Writer[R]) Publish(end End) (size int64, err error) {
	defer w.Discard()
	if end.Last < w.name.First {
		return 0, fmt.Errorf("publish %s: the last offset %d lies before the first", w.path, end.Last)
	}
	w.rows.SetKeyValueMetadata(MetaClusterID, w.source.ClusterID)
	w.rows.SetKeyValueMetadata(MetaFirstOffset, strconv.FormatInt(w.name.First, 10))
	w.rows.SetKeyValueMetadata(MetaLastOffset, strconv.FormatInt(end.Last, 10))
	if !end.LastTime.IsZero() {
		w.rows.SetKeyValueMetadata(MetaLastTime, strconv.FormatInt(end.LastTime.UnixMilli(), 10))
	}
	for key, value := range end.Metadata {
		w.rows.SetKeyValueMetadata(key, value)
	}
	if err := w.rows.Close(); err != nil {
		return 0, fmt.Errorf("finish %s: %w", w.path, err)
	}
	info, err := w.file.Stat()
	if err != nil {
		return 0, fmt.Errorf("finish %s: %w", w.path, err)
	}
	switch err := w.file.Publish(); {
	case errors.Is(err, fs.ErrExist):
		return 0, fmt.Errorf("publish %s: %w", w.path, ErrTaken)
	case err != nil:
		return 0, fmt.Errorf("publish %s: %w", w.path, err)
	}
	return info.Size(), nil
}

// Discard drops the file. It is safe after Publish.
func (w *Writer[R]) Discard() {
	w.file.Discard()
	w.alive.release()
}

// Exists reports whether a file of the chain stands at the offset where this one begins, so that Publish would fail.
func (w *Writer[R]) Exists() bool {
	_, err := os.Lstat(w.path)
	return err == nil
}
