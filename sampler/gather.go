package sampler

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"dssdnet/internal/progress"
)

// gatherTexts reads patents/ once and puts the texts that are needed into the store. A worker holds a page of three
// columns.
func gatherTexts(ctx context.Context, patents *source, lib *library, store *textStore, workers int, task progress.Task) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for _, file := range patents.files {
		group.Go(func() error {
			for _, rows := range file.file.RowGroups() {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := gatherGroup(rows, file.file.Schema(), lib, store); err != nil {
					return fmt.Errorf("read %s: %w", file.Path, err)
				}
				task.Add(rows.NumRows())
			}
			return nil
		})
	}
	return group.Wait()
}

func gatherGroup(rows parquet.RowGroup, schema *parquet.Schema, lib *library, store *textStore) (err error) {
	var columns [3]*columnReader
	for i, name := range []string{"patent_id", "title", "abstract"} {
		leaf, ok := schema.Lookup(name)
		if !ok {
			return fmt.Errorf("it has no column %s: make it again (dssdnet ingest merge)", name)
		}
		columns[i] = &columnReader{name: name, pages: rows.ColumnChunks()[leaf.ColumnIndex].Pages()}
		defer func() { err = errors.Join(err, columns[i].close()) }()
	}
	for range rows.NumRows() {
		var values [3]parquet.Value
		for i, c := range columns {
			if values[i], err = c.next(); err != nil {
				return err
			}
		}
		patent := lib.find(string(values[0].ByteArray()))
		if patent == nowhere {
			return fmt.Errorf("it has patent %s, which it did not have before: run dssdnet sample again", values[0].ByteArray())
		}
		slot := store.slots[patent]
		if slot == 0 {
			continue
		}
		if store.docs[slot-1], err = store.write(string(values[1].ByteArray()), string(values[2].ByteArray())); err != nil {
			return err
		}
	}
	return nil
}

// columnReader gives the values of a column without repetition, one a row. It holds one page.
type columnReader struct {
	name   string
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    [256]parquet.Value
	queue  []parquet.Value
}

// next returns the value of the next row; its bytes are valid until the call after.
func (c *columnReader) next() (parquet.Value, error) {
	for len(c.queue) == 0 {
		if c.values == nil {
			c.release()
			page, err := c.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return parquet.Value{}, fmt.Errorf("column %s: %w", c.name, err)
			}
			c.page, c.values = page, page.Values()
		}
		n, err := c.values.ReadValues(c.buf[:])
		c.queue = c.buf[:n]
		if errors.Is(err, io.EOF) {
			c.values = nil
		} else if err != nil {
			return parquet.Value{}, fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	v := c.queue[0]
	c.queue = c.queue[1:]
	return v, nil
}

func (c *columnReader) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *columnReader) close() error {
	c.release()
	return c.pages.Close()
}
