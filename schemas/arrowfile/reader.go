package arrowfile

import (
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// Reader reads a file, a record batch at a time in any order. It is not safe for concurrent use.
type Reader[R any] struct {
	path  string
	f     *os.File
	ipc   *ipc.FileReader
	table Table[R]
	at    []int // column of the file by column of the table
}

// Open opens the file at path and checks that it is a version of t that this build reads.
func Open[R any](path string, t Table[R]) (*Reader[R], error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader[R]{path: path, f: f, table: t}
	if err := guard(r.open); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return r, nil
}

func (r *Reader[R]) open() error {
	var err error
	if r.ipc, err = ipc.NewFileReader(r.f); err != nil {
		return fmt.Errorf("not a whole Arrow file: %w", err)
	}
	if err := r.table.Arrow.Check(r.ipc.Schema()); err != nil {
		return err
	}
	for _, field := range r.table.Arrow.Fields {
		indices := r.ipc.Schema().FieldIndices(field.Name)
		if len(indices) != 1 {
			return fmt.Errorf("%d columns are named %s: make the table again", len(indices), field.Name)
		}
		r.at = append(r.at, indices[0])
	}
	return nil
}

// Batches is the number of record batches.
func (r *Reader[R]) Batches() int { return r.ipc.NumRecords() }

// Metadata returns a value of the schema's metadata.
func (r *Reader[R]) Metadata(key string) (value string, ok bool) {
	return r.ipc.Schema().Metadata().GetValue(key)
}

// Read returns the rows of a batch, in the memory of rows where they fit.
func (r *Reader[R]) Read(batch int, rows []R) ([]R, error) {
	err := guard(func() error {
		record, err := r.ipc.RecordAt(batch)
		if err != nil {
			return err
		}
		defer record.Release()
		n := int(record.NumRows())
		rows = slices.Grow(rows[:0], n)[:n]
		for i, c := range r.table.columns {
			if err := c.load(record.Column(r.at[i]), rows); err != nil {
				return fmt.Errorf("column %s: %w", r.table.Arrow.Fields[i].Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read %s, record batch %d: %w", r.path, batch, err)
	}
	return rows, nil
}

// Close closes the file. Rows that were read stay valid.
func (r *Reader[R]) Close() error {
	_ = r.ipc.Close()
	return r.f.Close()
}

// guard turns a panic of the Arrow library, which trusts the offsets in a file, into an error.
func guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	return read()
}
