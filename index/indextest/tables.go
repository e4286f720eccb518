package indextest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dssdnet/internal/durable"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// WritePatents replaces patents/ by files of perFile patents each, as the merge stage swaps the folder.
func WritePatents(t testing.TB, ws workspace.Dir, patents []schemas.Patent, perFile int) {
	t.Helper()
	dir := ws.Table(schemas.Patents.Name)
	temp, err := durable.TempDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; len(patents) > 0; n++ {
		some := patents[:min(perFile, len(patents))]
		patents = patents[len(some):]
		WriteTable(t, schemas.Patents, filepath.Join(temp, fmt.Sprintf("patents-%05d.parquet", n)), some)
	}
	if err := durable.SwapDir(temp, dir); err != nil {
		t.Fatal(err)
	}
}

// WriteTable writes one file of a table.
func WriteTable[R any](t testing.TB, table schemas.Table, path string, rows []R) {
	t.Helper()
	if err := WriteRows(table, path, rows); err != nil {
		t.Fatal(err)
	}
}

// WriteRows is WriteTable where there is no test at hand.
func WriteRows[R any](table schemas.Table, path string, rows []R) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := schemas.NewWriter[R](table, f)
	const perGroup = 500 // several row groups, so that readers meet their borders
	for some := range slices.Chunk(rows, max(perGroup, len(rows)/10)) {
		if _, err := w.Write(some); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), f.Close())
}

// ReadTable reads all rows of all files in a folder.
func ReadTable[R any](t testing.TB, table schemas.Table, dir string) []R {
	t.Helper()
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []R
	for _, path := range paths {
		err := schemas.EachRow(table, path, func(row *R) error {
			all = append(all, *row)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}
