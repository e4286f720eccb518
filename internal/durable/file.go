// Package durable writes files and folders that are either whole or not there: a temporary name in the same
// folder, fsync, one atomic step to the final name, fsync of the folder. After SIGKILL or a power cut at any
// moment a reader finds the old content or the new, and [Sweep] removes what was left half done.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// tempPrefix starts the name of every unfinished file and folder. Readers of a folder must leave such names out, as
// workspace.TableFiles does: filepath.Glob does not, its *.parquet matches a leading dot.
const tempPrefix = ".tmp-"

// File is a file in the making. Write to it, then call exactly one of Replace, Publish and Discard.
type File struct {
	*os.File
	final string
}

// Create starts a file that will stand at path. It makes the folder.
func Create(path string) (*File, error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, tempPrefix+"*-"+filepath.Base(path))
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o644); err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		return nil, err
	}
	return &File{File: f, final: path}, nil
}

// Replace puts the file at its path, over an older one.
func (f *File) Replace() error {
	return f.finish(func() error { return os.Rename(f.Name(), f.final) })
}

// Publish puts the file at its path unless a file stands there already: then the error is fs.ErrExist, the other
// file stays and this one is gone. It is how two writers of the same offsets find out who was first.
func (f *File) Publish() error {
	return f.finish(func() error {
		if err := os.Link(f.Name(), f.final); err != nil {
			return err
		}
		return os.Remove(f.Name())
	})
}

func (f *File) finish(place func() error) error {
	err := f.Sync()
	err = errors.Join(err, f.Close())
	if err == nil {
		err = place()
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return SyncDir(filepath.Dir(f.final))
}

// Discard drops the file. It is safe after Replace or Publish, so it can be deferred.
func (f *File) Discard() {
	_ = f.Close()
	_ = os.Remove(f.Name())
}

// WriteFile replaces the file at path by data.
func WriteFile(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Replace()
}

// SyncDir makes the names in a folder survive a power cut.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// TempDir makes an empty folder beside path for [SwapDir].
func TempDir(path string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(filepath.Dir(path), tempPrefix+"*-"+filepath.Base(path))
}

// SwapDir puts the folder temp, made by [TempDir], at path in one step and removes the folder that stood there. The
// files in temp must have been synced.
func SwapDir(temp, path string) error {
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	if err := SyncDir(temp); err != nil {
		return err
	}
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return fmt.Errorf("put %s in place: %w", path, err)
	}
	if err := SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.RemoveAll(temp); err != nil {
		return fmt.Errorf("remove the old %s: %w", path, err)
	}
	return nil
}

// Sweep removes unfinished files and folders that a killed process left in dir. Call it only while holding what
// keeps other writers of dir away.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
