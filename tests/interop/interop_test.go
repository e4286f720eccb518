package interop

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dssdnet/schemas"
)

// TestOtherToolsReadOurTables runs read_tables.py once for each engine.
func TestOtherToolsReadOurTables(t *testing.T) {
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		t.Skip("needs a Python with pyarrow, polars and duckdb in DSSDNET_PYTHON: tests/interop/setup-venv.sh DIR makes one")
	}
	dir := t.TempDir()
	tables := []expectation{
		write(t, dir, schemas.Documents, "ucid", documents(),
			lookup{"ucid", "EP-1000001-A1", 1}, lookup{"ucid", "EP-2002999-A1", 1}, lookup{"ucid", "EP-9999999-A1", 0},
			lookup{"description_en", onlyMarker, 1}, lookup{"title_en", "title 2000010", 1}, lookup{"kind", "A1", manyRows + 1},
			lookup{"truncated", true, 1}),
		write(t, dir, schemas.Patents, "patent_id", patents(),
			lookup{"patent_id", "US-D668832", 1}, lookup{"patent_id", "EP-2002999", 1}, lookup{"patent_id", "EP-1", 0}, lookup{"description", onlyMarker, 1}),
		write(t, dir, schemas.Topics, "topic_id", topics(), lookup{"claims", onlyMarker, 1}, lookup{"split", "test", 2}),
		write(t, dir, schemas.Qrels, "patent_id", qrels(), lookup{"topic_id", "PAC-599", 5}, lookup{"grade", 2, manyRows / 2}, lookup{"broken_topic", true, 1}),
	}
	text, err := json.Marshal(tables)
	if err != nil {
		t.Fatal(err)
	}
	expected := filepath.Join(dir, "expected.json")
	if err := os.WriteFile(expected, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"pyarrow", "polars", "duckdb"} {
		t.Run(engine, func(t *testing.T) {
			out, err := exec.Command(python, "read_tables.py", engine, expected).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// write makes three files of a table in a folder of its own: most of the rows in several row groups, no rows at all,
// as an offset range of dead letters gives, and the rest.
func write[R any](t *testing.T, dir string, table schemas.Table, key string, rows []R, lookups ...lookup) expectation {
	t.Helper()
	half := len(rows) - len(rows)/4
	var files []string
	for i, part := range [][]R{rows[:half], {}, rows[half:]} {
		path := filepath.Join(dir, table.Name, string(rune('a'+i))+".parquet")
		writeFile(t, path, table, part)
		files = append(files, path)
	}
	e := expect(table, key, files, rows)
	e.Lookups = lookups
	return e
}

// rowGroup is the number of rows of a row group.
const rowGroup = 700

func writeFile[R any](t *testing.T, path string, table schemas.Table, rows []R) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := schemas.NewWriter[R](table, f)
	for len(rows) > 0 {
		n := min(rowGroup, len(rows))
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
}
