package indextest

import (
	"fmt"
	"os"
	"path/filepath"
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
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := schemas.NewWriter[R](table, f)
	for len(rows) > 0 { // several row groups, so that readers meet their borders
		n := min(500, len(rows))
		if _, err := w.Write(rows[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// ReadTable reads all rows of all files in a folder.
func ReadTable[R any](t testing.TB, table schemas.Table, dir string) []R {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	var all []R
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := schemas.ReadAll[R](table, f, info.Size())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
