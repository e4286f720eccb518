package duck_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dssdnet/internal/duck"
)

func open(t *testing.T) (*duck.DB, string) {
	t.Helper()
	temp := filepath.Join(t.TempDir(), "it's temp")
	db, err := duck.Open(context.Background(), duck.Config{Memory: 128 << 20, Threads: 2, Temp: temp})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db, temp
}

func TestSettingsAreInForce(t *testing.T) {
	db, temp := open(t)
	var limit, threads, dir string
	row := db.QueryRow("SELECT current_setting('memory_limit'), current_setting('threads')::VARCHAR, current_setting('temp_directory')")
	if err := row.Scan(&limit, &threads, &dir); err != nil {
		t.Fatal(err)
	}
	if limit != "128.0 MiB" || threads != "2" || filepath.Dir(dir) != temp {
		t.Errorf("memory_limit %s, threads %s, temp_directory %s", limit, threads, dir)
	}
}

func TestSpillsAndCleansUp(t *testing.T) {
	db, temp := open(t)
	// 3 million rows of 100 bytes are five times the memory limit.
	if _, err := db.Exec("CREATE TABLE t AS SELECT i, repeat(md5(i::VARCHAR), 3) AS s FROM range(3000000) r(i) ORDER BY s"); err != nil {
		t.Fatal(err)
	}
	var sorted bool
	if err := db.QueryRow("SELECT count(*) = 3000000 FROM t").Scan(&sorted); err != nil || !sorted {
		t.Fatalf("rows: %v %v", sorted, err)
	}
	spilled, err := filepath.Glob(filepath.Join(temp, "duckdb-*", "*"))
	if err != nil || len(spilled) == 0 {
		t.Fatalf("nothing was spilled to %s: %v", temp, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the temporary folder: %v %v", left, err)
	}
}

func TestTooLittleMemory(t *testing.T) {
	_, err := duck.Open(context.Background(), duck.Config{Memory: 1 << 20, Temp: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "at least 128MiB") {
		t.Errorf("error is %v", err)
	}
}

func TestQuoting(t *testing.T) {
	db, _ := open(t)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, 20, -1).Filter(func(s string) bool { return !strings.Contains(s, "\x00") }).Draw(t, "s")
		var got string
		if err := db.QueryRow("SELECT " + duck.Literal(s)).Scan(&got); err != nil || got != s {
			t.Fatalf("literal %q came back as %q, %v", s, got, err)
		}
		if s == "" {
			return
		}
		rows, err := db.Query("SELECT 1 AS " + duck.Ident(s))
		if err != nil {
			t.Fatalf("identifier %q: %v", s, err)
		}
		defer rows.Close()
		if names, err := rows.Columns(); err != nil || names[0] != s {
			t.Fatalf("identifier %q came back as %q, %v", s, names, err)
		}
	})
}

func TestFilesAreNoPatterns(t *testing.T) {
	db, _ := open(t)
	dir := t.TempDir()
	names := []string{"a*.parquet", "ab.parquet", "[x]?.parquet", "it's.parquet"}
	for i, name := range names {
		copyTo := fmt.Sprintf("COPY (SELECT %d AS n) TO %s (FORMAT parquet)", i, duck.Literal(filepath.Join(dir, name)))
		if _, err := db.Exec(copyTo); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		var n, rows int
		err := db.QueryRow("SELECT max(n), count(*) FROM read_parquet("+duck.Files([]string{filepath.Join(dir, name)})+")").Scan(&n, &rows)
		if err != nil || n != i || rows != 1 {
			t.Errorf("%s: row %d of %d rows, %v", name, n, rows, err)
		}
	}
}
