package schemas

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func writeTopics(t *testing.T, n int) (path string, rows []Topic) {
	t.Helper()
	for i := range n {
		rows = append(rows, Topic{TopicID: strings.Repeat("x", i%7) + "T", Title: "a pump", IPCSubclasses: []string{"F04B", "G01N", "H04L"}[:i%4]})
	}
	path = filepath.Join(t.TempDir(), "topics.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter[Topic](Topics, f)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path, rows
}

func TestEachRow(t *testing.T) {
	path, want := writeTopics(t, 3*rowsAtATime+5)
	var kept []Topic
	if err := EachRow(Topics, path, func(row *Topic) error { kept = append(kept, *row); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(kept) != len(want) {
		t.Fatalf("%d rows, want %d", len(kept), len(want))
	}
	for i := range want {
		if kept[i].TopicID != want[i].TopicID || len(kept[i].IPCSubclasses) != len(want[i].IPCSubclasses) ||
			len(want[i].IPCSubclasses) > 0 && !reflect.DeepEqual(kept[i].IPCSubclasses, want[i].IPCSubclasses) {
			t.Fatalf("row %d is %+v, want %+v", i, kept[i], want[i])
		}
	}

	stop := errors.New("enough")
	n := 0
	err := EachRow(Topics, path, func(row *struct {
		Title string `parquet:"title,optional"`
	}) error {
		if row.Title != "a pump" {
			t.Errorf("row %d has the title %q", n, row.Title)
		}
		if n++; n == 70 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 70 {
		t.Errorf("%d rows, error %v", n, err)
	}
}

func TestOpenPathRefuses(t *testing.T) {
	path, _ := writeTopics(t, 1)
	if _, err := Qrels.OpenPath(path); err == nil || !strings.Contains(err.Error(), "not a qrels file") {
		t.Errorf("another table: %v", err)
	}
	if _, err := Topics.OpenPath(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Topics.OpenPath(path); err == nil {
		t.Error("a damaged file was opened")
	}
}
