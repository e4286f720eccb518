package merge

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"dssdnet/schemas"
)

// oldPatents reads the patents with ids in [low, high) out of the files of the last merge, in order.
type oldPatents struct {
	dir       string
	files     []patentFile // still to be opened
	low, high string       // high "" is the end

	file   *os.File
	groups []parquet.RowGroup
	rows   *parquet.GenericReader[schemas.Patent]
	buffer []schemas.Patent
	ready  []schemas.Patent // of buffer, not yet taken
}

// between returns a reader of the old patents in [low, high).
func (s state) between(dir, low, high string) *oldPatents {
	o := &oldPatents{dir: dir, low: low, high: high, buffer: make([]schemas.Patent, readRows)}
	for i, f := range s.Files {
		last := i+1 == len(s.Files)
		if (last || s.Files[i+1].First > low) && (high == "" || i == 0 || f.First < high) {
			o.files = append(o.files, f)
		}
	}
	return o
}

// peek returns the next patent, or nil at the end. It stays valid until take.
func (o *oldPatents) peek() (*schemas.Patent, error) {
	for {
		for len(o.ready) > 0 {
			id := o.ready[0].PatentID
			if o.high != "" && id >= o.high {
				o.files, o.groups, o.ready = nil, nil, nil
				o.close()
				return nil, nil
			}
			if id >= o.low {
				return &o.ready[0], nil
			}
			o.ready = o.ready[1:]
		}
		more, err := o.fill()
		if err != nil || !more {
			return nil, err
		}
	}
}

func (o *oldPatents) take() { o.ready = o.ready[1:] }

// fill reads the next rows, opening what comes next; false is the end.
func (o *oldPatents) fill() (bool, error) {
	for o.rows == nil {
		if len(o.groups) == 0 {
			if len(o.files) == 0 {
				o.close()
				return false, nil
			}
			if err := o.open(o.files[0]); err != nil {
				return false, err
			}
			o.files = o.files[1:]
			continue
		}
		group := o.groups[0]
		o.groups = o.groups[1:]
		if !o.misses(group) {
			o.rows = parquet.NewGenericRowGroupReader[schemas.Patent](group)
		}
	}
	clear(o.buffer)
	n, err := o.rows.Read(o.buffer)
	o.ready = o.buffer[:n]
	if errors.Is(err, io.EOF) {
		err = o.rows.Close()
		o.rows = nil
	}
	if err != nil {
		return false, o.damaged(o.file.Name(), err)
	}
	return true, nil
}

func (o *oldPatents) open(f patentFile) error {
	o.close()
	path := filepath.Join(o.dir, f.Name)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("patents file: %w", err)
	}
	o.file = file
	patents, err := schemas.Patents.Open(file, f.Size)
	if err != nil {
		return o.damaged(path, err)
	}
	o.groups = patents.RowGroups()
	return nil
}

// misses reports whether no patent of the group is in [low, high), as far as its statistics tell.
func (o *oldPatents) misses(group parquet.RowGroup) bool {
	column, ok := group.ColumnChunks()[0].(*parquet.FileColumnChunk) // patent_id
	if !ok {
		return false
	}
	least, greatest, ok := column.Bounds()
	return ok && (greatest.String() < o.low || o.high != "" && least.String() >= o.high)
}

func (o *oldPatents) damaged(path string, err error) error {
	return fmt.Errorf("patents file %s cannot be read: %w: run `dssdnet ingest merge --force`", path, err)
}

func (o *oldPatents) close() {
	if o.rows != nil {
		_ = o.rows.Close()
		o.rows = nil
	}
	if o.file != nil {
		_ = o.file.Close()
		o.file = nil
	}
}
