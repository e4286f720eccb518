package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"dssdnet/index"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// source is the files of patents/ as they were when the run began: they are held open, so a merge that swaps the
// folder meanwhile changes nothing.
type source struct {
	files   []*sourceFile
	columns []string // text columns to read
	rows    int64
}

type sourceFile struct {
	index.Input
	path string
	f    *os.File
	file *parquet.File
}

// openSource opens the files of the folder dir. columns are the text columns that [source.each] reads.
func openSource(dir string, columns []string) (*source, error) {
	const attempts = 5 // against a merge that swaps the folder between listing and opening
	for range attempts {
		inputs, err := list(dir)
		if err != nil {
			return nil, err
		}
		s, err := open(dir, inputs, columns)
		again, listErr := list(dir)
		if err == nil && listErr == nil && slices.EqualFunc(inputs, again, index.Input.Same) {
			return s, nil
		}
		if s != nil {
			err = errors.Join(err, s.close())
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s keeps changing: wait for the merge to end", dir)
}

func list(dir string) ([]index.Input, error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	var inputs []index.Input
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, index.Input{Name: filepath.Base(path), Size: info.Size(), Modified: info.ModTime().UTC()})
	}
	return inputs, nil
}

func open(dir string, inputs []index.Input, columns []string) (*source, error) {
	s := &source{columns: columns}
	for _, input := range inputs {
		path := filepath.Join(dir, input.Name)
		f, err := os.Open(path)
		if err != nil {
			return s, err
		}
		sf := &sourceFile{Input: input, path: path, f: f}
		s.files = append(s.files, sf)
		if sf.file, err = schemas.Patents.Open(f, input.Size); err != nil {
			return s, fault.New(fault.Rejected, "%s cannot be read: %w: make it again (dssdnet ingest merge)", path, err)
		}
		s.rows += sf.file.NumRows()
	}
	return s, nil
}

func (s *source) close() error {
	var err error
	for _, sf := range s.files {
		err = errors.Join(err, sf.f.Close())
	}
	return err
}

func (s *source) inputs() []index.Input {
	var inputs []index.Input
	for _, sf := range s.files {
		inputs = append(inputs, sf.Input)
	}
	return inputs
}

// patent is what is read of a row of patents/.
type patent struct {
	id         string
	published  *schemas.Date
	family     string
	subclasses []string
	texts      []string // by column of the source
}

// each calls visit with every patent of the file, in the order of the rows.
func (s *source) each(sf *sourceFile, visit func(*patent) error) error {
	return sf.scan(append([]string{"patent_id", "publication_date", "family_id", "ipc_subclasses"}, s.columns...),
		func(c []*columnReader) error {
			p := &patent{texts: make([]string, len(s.columns))}
			var err error
			if p.id, err = c[0].nextText(); err != nil {
				return err
			}
			day, err := c[1].next()
			if err != nil {
				return err
			}
			if !day.IsNull() {
				published := schemas.Date(day.Int32())
				p.published = &published
			}
			if p.family, err = c[2].nextText(); err != nil {
				return err
			}
			if p.subclasses, err = c[3].nextList(); err != nil {
				return err
			}
			for i := range p.texts {
				if p.texts[i], err = c[4+i].nextText(); err != nil {
					return err
				}
			}
			return visit(p)
		})
}

// ids calls visit with the id of every patent of the file.
func (sf *sourceFile) ids(visit func(id string) error) error {
	return sf.scan([]string{"patent_id"}, func(c []*columnReader) error {
		id, err := c[0].nextText()
		if err != nil {
			return err
		}
		return visit(id)
	})
}

// scan calls row once a row; it must take one row from every column reader.
func (sf *sourceFile) scan(columns []string, row func([]*columnReader) error) error {
	leaves := make([]parquet.LeafColumn, len(columns))
	for i, name := range columns {
		path := []string{name}
		if name == "ipc_subclasses" {
			path = append(path, "list", "element")
		}
		leaf, ok := sf.file.Schema().Lookup(path...)
		if !ok {
			return fault.New(fault.Rejected, "%s has no column %s: make it again (dssdnet ingest merge)", sf.path, name)
		}
		leaves[i] = leaf
	}
	for _, group := range sf.file.RowGroups() {
		if err := scanGroup(group, leaves, row); err != nil {
			return fmt.Errorf("read %s: %w", sf.path, err)
		}
	}
	return nil
}

func scanGroup(group parquet.RowGroup, leaves []parquet.LeafColumn, row func([]*columnReader) error) (err error) {
	readers := make([]*columnReader, len(leaves))
	for i, leaf := range leaves {
		readers[i] = openColumn(group, leaf)
	}
	defer func() {
		for _, r := range readers {
			err = errors.Join(err, r.close())
		}
	}()
	for range group.NumRows() {
		if err := row(readers); err != nil {
			return err
		}
	}
	return nil
}
