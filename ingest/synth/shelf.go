package synth

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"dssdnet/internal/durable"
)

// shelf takes the files of one shard, in order, from one goroutine. close completes them.
type shelf interface {
	put(name string, modified day, content []byte) error
	close() error
	discard() // after close or instead of it
}

// tree is a shelf that is a folder tree. A file is written under another name and renamed, so it is whole or not
// there; the run flushes them all at its end.
type tree struct {
	root    string // names are relative to it
	staging string // file that becomes the next one
	made    string // folder that is known to be there
	resumed bool   // files may be there already: their size tells whether they are complete after a power cut
}

func newTree(f *folder, root string, worker int) (*tree, error) {
	dir := filepath.Join(f.path, ".tmp-staging")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &tree{root: filepath.Join(f.path, root), staging: filepath.Join(dir, fmt.Sprint(worker)), resumed: f.resumed}, nil
}

func (t *tree) put(name string, _ day, content []byte) error {
	path := filepath.Join(t.root, filepath.FromSlash(name))
	if t.resumed {
		if info, err := os.Lstat(path); err == nil && info.Size() == int64(len(content)) {
			return nil
		}
	}
	if err := t.makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.WriteFile(t.staging, content, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(t.staging, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// makeFolder makes the folder of the next file: one call for most patents, none for their further documents.
func (t *tree) makeFolder(dir string) error {
	if dir == t.made {
		return nil
	}
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make folder: %w", err)
	}
	t.made = dir
	return nil
}

func (t *tree) close() error { return nil }
func (t *tree) discard()     {}

// archiveBuffer keeps a compressor's small blocks away from the file system.
const archiveBuffer = 1 << 20

// archive is a shelf that is one .tar or .tar.gz file, complete or not there. A shard without documents has none.
type archive struct {
	path     string
	done     bool          // an earlier run wrote it
	file     *durable.File // nil until the first file is put
	buffer   *bufio.Writer
	compress *gzip.Writer // nil for .tar
	tar      *tar.Writer
}

func newArchive(f *folder, root, format string, first int) *archive {
	a := &archive{path: filepath.Join(f.path, root, patentID(first)+"."+format)}
	if f.resumed {
		_, err := os.Lstat(a.path)
		a.done = err == nil
	}
	return a
}

func (a *archive) put(name string, modified day, content []byte) error {
	if a.done {
		return nil
	}
	if err := a.open(); err != nil {
		return fmt.Errorf("write %s: %w", a.path, err)
	}
	header := tar.Header{Name: name, Mode: 0o644, Size: int64(len(content)), ModTime: modified.time(), Format: tar.FormatUSTAR}
	err := a.tar.WriteHeader(&header)
	if err == nil {
		_, err = a.tar.Write(content)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", a.path, err)
	}
	return nil
}

func (a *archive) open() error {
	if a.file != nil {
		return nil
	}
	file, err := durable.Create(a.path)
	if err != nil {
		return err
	}
	a.file, a.buffer = file, bufio.NewWriterSize(file, archiveBuffer)
	if filepath.Ext(a.path) != ".gz" {
		a.tar = tar.NewWriter(a.buffer)
		return nil
	}
	a.compress, err = gzip.NewWriterLevel(a.buffer, gzip.BestSpeed)
	a.tar = tar.NewWriter(a.compress)
	return err
}

func (a *archive) close() error {
	if a.file == nil {
		return nil
	}
	err := a.tar.Close()
	if a.compress != nil {
		err = errors.Join(err, a.compress.Close())
	}
	err = errors.Join(err, a.buffer.Flush())
	if err == nil {
		err = a.file.Replace()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", a.path, err)
	}
	return nil
}

func (a *archive) discard() {
	if a.file != nil {
		a.file.Discard()
	}
}
