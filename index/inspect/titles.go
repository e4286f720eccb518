package inspect

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Titles looks the English titles of patents up in the folder patents/. An id that is not there, or has no title, is
// missing in the result. It reads the pages in which the ids are.
func Titles(dir string, ids []string) (map[string]string, error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	titles := make(map[string]string)
	for _, path := range paths {
		if err := titlesOf(path, ids, titles); err != nil {
			return titles, fmt.Errorf("titles of %s: %w", path, err)
		}
	}
	return titles, nil
}

func titlesOf(path string, ids []string, titles map[string]string) error {
	file, err := schemas.Patents.OpenPath(path)
	if err != nil {
		return err
	}
	defer file.Close()
	key, _ := file.Schema().Lookup("patent_id")
	title, _ := file.Schema().Lookup("title")
	for _, group := range file.RowGroups() {
		chunks := group.ColumnChunks()
		for _, id := range ids {
			row, err := find(chunks[key.ColumnIndex], id)
			if err != nil {
				return err
			}
			if row < 0 {
				continue
			}
			if titles[id], err = value(chunks[title.ColumnIndex], row); err != nil {
				return err
			}
		}
	}
	return nil
}

// find returns the row of an id in a column of ascending ids, or -1.
func find(chunk parquet.ColumnChunk, id string) (int64, error) {
	index, err := chunk.ColumnIndex()
	if err != nil {
		return 0, err
	}
	offsets, err := chunk.OffsetIndex()
	if err != nil {
		return 0, err
	}
	wanted := parquet.ByteArrayValue([]byte(id))
	at := parquet.Search(index, wanted, chunk.Type())
	if at >= index.NumPages() {
		return -1, nil
	}
	row := offsets.FirstRowIndex(at)
	found := int64(-1)
	err = values(chunk, row, func(v parquet.Value) bool {
		got := string(v.ByteArray())
		if got == id {
			found = row
		}
		row++
		return got < id
	})
	return found, err
}

// value is the text in a row of a column, "" for NULL.
func value(chunk parquet.ColumnChunk, row int64) (text string, err error) {
	err = values(chunk, row, func(v parquet.Value) bool {
		if !v.IsNull() {
			text = string(v.ByteArray())
		}
		return false
	})
	return text, err
}

// values calls visit with the values of a column from a row on, until it returns false.
func values(chunk parquet.ColumnChunk, row int64, visit func(parquet.Value) bool) (err error) {
	pages := chunk.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	if err := pages.SeekToRow(row); err != nil {
		return err
	}
	buf := make([]parquet.Value, 64)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		more, err := visitPage(page, buf, visit)
		parquet.Release(page)
		if err != nil || !more {
			return err
		}
	}
}

func visitPage(page parquet.Page, buf []parquet.Value, visit func(parquet.Value) bool) (more bool, err error) {
	reader := page.Values()
	for {
		n, err := reader.ReadValues(buf)
		for _, v := range buf[:n] {
			if !visit(v) {
				return false, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}
