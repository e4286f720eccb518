package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, text string) *File {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReplaceIsInvisibleUntilDone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "a.parquet")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	f := write(t, path, "new")
	if got := read(t, path); got != "old" {
		t.Errorf("before Replace the file holds %q", got)
	}
	if err := f.Replace(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if got := read(t, path); got != "new" {
		t.Errorf("after Replace the file holds %q", got)
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestPublishKeepsTheFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	first, second := write(t, path, "first"), write(t, path, "second")
	if err := first.Publish(); err != nil {
		t.Fatal(err)
	}
	if err := second.Publish(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second Publish says %v, want fs.ErrExist", err)
	}
	if got := read(t, path); got != "first" {
		t.Errorf("the file holds %q", got)
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestSwapDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "patents")
	for _, text := range []string{"one", "two"} {
		temp, err := TempDir(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(filepath.Join(temp, text), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := SwapDir(temp, path); err != nil {
			t.Fatal(err)
		}
		if got := names(t, path); len(got) != 1 || got[0] != text {
			t.Errorf("the folder holds %v, want only %s", got, text)
		}
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "half")
	if _, err := TempDir(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "c"), nil); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 1 || got[0] != "c" {
		t.Errorf("after Sweep: %v", got)
	}
	if err := Sweep(filepath.Join(dir, "absent")); err != nil {
		t.Errorf("Sweep of an absent folder: %v", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := TryLock(path, "merge, process 7")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(path, "other"); !errors.Is(err, ErrLocked) {
		t.Errorf("the second TryLock says %v, want ErrLocked", err)
	}
	if got := LockNote(path); got != "merge, process 7" {
		t.Errorf("LockNote = %q", got)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := TryLock(path, "x")
	if err != nil {
		t.Fatalf("after Unlock: %v", err)
	}
	if err := again.Unlock(); err != nil {
		t.Fatal(err)
	}
	if got := LockNote(path); got != "x" {
		t.Errorf("LockNote = %q, want no trace of the longer note", got)
	}
}
