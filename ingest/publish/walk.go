package publish

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
)

// walker finds the files to read, in order.
type walker struct {
	ctx  context.Context
	out  contents
	emit func(path string) error // a file; the error is the end of the run
}

// checkPaths refuses the run when an argument does not exist.
func checkPaths(paths []string) error {
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return fault.New(fault.Rejected, "cannot publish %s: %w", p, pathless(err))
		}
	}
	return nil
}

// walk visits an argument. A file named by itself is read whatever its name; a link is followed.
func (w *walker) walk(root string) error {
	root = filepath.Clean(root)
	info, err := os.Stat(root)
	switch {
	case err != nil: // it was there a moment ago
		return w.out.fail(root, failureOf(err))
	case info.IsDir():
		return w.folder(root)
	case !info.Mode().IsRegular():
		w.out.junk(junkSpecial)
		return nil
	}
	return w.emit(root)
}

// folder visits what is in a folder, in the order of names.
func (w *walker) folder(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if err := w.out.fail(dir, failureOf(err)); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.entry(filepath.Join(dir, e.Name()), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(path string, kind fs.FileMode) error {
	if reason := junkName(filepath.ToSlash(path)); reason != "" && (!kind.IsDir() || reason == junkHidden) {
		w.out.junk(reason)
		return nil
	}
	if kind&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			return w.out.fail(path, failureOf(err))
		}
		if info.IsDir() {
			w.out.junk(junkLinkedTree)
			return nil
		}
		kind = info.Mode().Type()
	}
	switch {
	case kind.IsDir():
		return w.folder(path)
	case !kind.IsRegular():
		w.out.junk(junkSpecial)
		return nil
	}
	return w.emit(path)
}
