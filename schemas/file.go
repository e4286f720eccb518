package schemas

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// File is an open file of a table.
type File struct {
	*parquet.File
	file *os.File
}

// OpenPath opens the file of t at path for reading and checks its version. Close it.
func (t Table) OpenPath(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	file, err := t.Open(f, info.Size())
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &File{File: file, file: f}, nil
}

// Close closes the file. What was read stays valid.
func (f *File) Close() error { return f.file.Close() }

// rowsAtATime is how many rows [EachRow] has in memory.
const rowsAtATime = 64

// EachRow calls visit with every row of the file of t at path, in order. It reads the columns that R has, which may be
// fewer than the table's. The row is valid until visit returns; its strings and slices are visit's to keep.
func EachRow[R any](t Table, path string, visit func(*R) error) error {
	file, err := t.OpenPath(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := parquet.NewGenericReader[R](file.File)
	defer reader.Close()
	rows := make([]R, rowsAtATime)
	for {
		clear(rows) // the reader would write into the slices of the rows before
		n, err := reader.Read(rows)
		for i := range rows[:n] {
			if err := visit(&rows[i]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read %s rows: %w", t.Name, err)
		}
	}
}
