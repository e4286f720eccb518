package build

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// columnReader reads the values of one column of a row group in row order. It holds one page.
type columnReader struct {
	path  string
	pages parquet.Pages
	page  parquet.Page
	from  parquet.ValueReader
	buf   [256]parquet.Value
	queue []parquet.Value // read and not yet given out
}

func openColumn(group parquet.RowGroup, leaf parquet.LeafColumn) *columnReader {
	return &columnReader{
		path:  strings.Join(leaf.Path, "."),
		pages: group.ColumnChunks()[leaf.ColumnIndex].Pages(),
	}
}

// fill makes queue non-empty. The error is io.EOF after the last value.
func (c *columnReader) fill() error {
	for len(c.queue) == 0 {
		if c.from == nil {
			c.release()
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.page, c.from = page, page.Values()
		}
		n, err := c.from.ReadValues(c.buf[:])
		c.queue = c.buf[:n]
		switch {
		case errors.Is(err, io.EOF):
			c.from = nil
		case err != nil:
			return err
		}
	}
	return nil
}

// next returns the value of the next row of a column without repetition. Its bytes are valid until the next call.
func (c *columnReader) next() (parquet.Value, error) {
	if err := c.fill(); err != nil {
		return parquet.Value{}, c.failed(err)
	}
	v := c.queue[0]
	c.queue = c.queue[1:]
	return v, nil
}

// nextText is next as a string of its own; "" for NULL.
func (c *columnReader) nextText() (string, error) {
	v, err := c.next()
	if err != nil || v.IsNull() {
		return "", err
	}
	return string(v.ByteArray()), nil
}

// nextList returns the strings of the next row of a list column.
func (c *columnReader) nextList() ([]string, error) {
	v, err := c.next()
	if err != nil {
		return nil, err
	}
	var list []string
	for {
		if !v.IsNull() {
			list = append(list, string(v.ByteArray()))
		}
		err := c.fill()
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, c.failed(err)
		case c.queue[0].RepetitionLevel() == 0:
			return list, nil
		}
		v, c.queue = c.queue[0], c.queue[1:]
	}
}

func (c *columnReader) failed(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("column %s: %w", c.path, err)
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
