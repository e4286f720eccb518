package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestTableFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*") // no pattern, but a name
	if got, err := TableFiles(dir); err != nil || got != nil {
		t.Errorf("of no folder: %v, %v", got, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.parquet", "a.parquet", ".tmp-1-c.parquet", ".parquet", "queries.jsonl", "a.parquet.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dir, "a.parquet"), filepath.Join(dir, "b.parquet")}
	if got, err := TableFiles(dir); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
