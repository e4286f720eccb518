package sampler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// source is the files of a Parquet table as they were when the run began: they are held open, so that a stage which
// swaps the folder meanwhile changes nothing.
type source struct{ files []sourceFile }

type sourceFile struct {
	manifest.Input // Path is relative to the workspace
	f              *os.File
	file           *parquet.File
}

// openSource opens the table in the folder dir of the workspace. remedy says what makes a missing table.
func openSource(ws workspace.Dir, dir string, table schemas.Table, remedy string) (*source, error) {
	const attempts = 5 // against a folder that is swapped between listing and opening
	for range attempts {
		paths, err := workspace.TableFiles(filepath.Join(string(ws), dir))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", dir, err)
		}
		if len(paths) == 0 {
			return nil, fault.New(fault.Rejected, "there are no Parquet files in %s: %s", filepath.Join(string(ws), dir), remedy)
		}
		s, err := openFiles(paths, dir, table, remedy)
		if err == nil && s.isCurrent(ws) {
			return s, nil
		}
		if s != nil {
			s.close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s keeps changing: wait until the stage that writes it has ended", filepath.Join(string(ws), dir))
}

func openFiles(paths []string, dir string, table schemas.Table, remedy string) (*source, error) {
	s := &source{}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return s, err
		}
		s.files = append(s.files, sourceFile{Input: manifest.Input{Path: filepath.Join(dir, filepath.Base(path))}, f: f})
		file := &s.files[len(s.files)-1]
		info, err := f.Stat()
		if err != nil {
			return s, err
		}
		file.Size = info.Size()
		if file.file, err = table.Open(f, file.Size); err != nil {
			return s, fault.New(fault.Rejected, "%s cannot be read: %w: %s", f.Name(), err, remedy)
		}
	}
	return s, nil
}

// isCurrent reports whether the open files still stand under their names.
func (s *source) isCurrent(ws workspace.Dir) bool {
	return !slices.ContainsFunc(s.files, func(f sourceFile) bool {
		open, err := f.f.Stat()
		if err != nil {
			return true
		}
		named, err := os.Stat(filepath.Join(string(ws), f.Path))
		return err != nil || !os.SameFile(open, named)
	})
}

func (s *source) close() {
	for _, f := range s.files {
		_ = f.f.Close() // opened for reading
	}
}

func (s *source) rows() int64 {
	var n int64
	for _, f := range s.files {
		n += f.file.NumRows()
	}
	return n
}

// hash fills in the hashes of the files, from the manifest in their folder where it knows the file.
func (s *source) hash(ws workspace.Dir) error {
	if len(s.files) == 0 {
		return nil
	}
	known := knownHashes(filepath.Join(string(ws), filepath.Dir(s.files[0].Path), "manifest.json"))
	for i := range s.files {
		f := &s.files[i]
		if k, ok := known[filepath.Base(f.Path)]; ok && k.Size == f.Size {
			f.SHA256 = k.SHA256
			continue
		}
		h := sha256.New()
		if _, err := io.Copy(h, io.NewSectionReader(f.f, 0, f.Size)); err != nil {
			return fmt.Errorf("hash %s: %w", f.Path, err)
		}
		f.SHA256 = hex.EncodeToString(h.Sum(nil))
	}
	return nil
}

type knownHash struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// knownHashes reads the list of files that a stage leaves in the manifest of its folder. Without one there is none.
func knownHashes(path string) map[string]knownHash {
	known := map[string]knownHash{}
	data, err := os.ReadFile(path)
	if err != nil {
		return known
	}
	var m struct {
		Files []knownHash `json:"files"`
	}
	if json.Unmarshal(data, &m) == nil {
		for _, f := range m.Files {
			if f.SHA256 != "" {
				known[f.Name] = f
			}
		}
	}
	return known
}

func (s *source) inputs() []manifest.Input {
	var inputs []manifest.Input
	for _, f := range s.files {
		inputs = append(inputs, f.Input)
	}
	return inputs
}

// each calls visit with every row of a file, reading the columns of R only. The row and its strings are valid until
// visit returns.
func each[R any](ctx context.Context, f sourceFile, visit func(*R) error) error {
	reader := parquet.NewGenericReader[R](f.file)
	defer reader.Close()
	rows := make([]R, 256)
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		clear(rows)
		n, err := reader.Read(rows)
		for i := range n {
			if err := visit(&rows[i]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", f.Path, err)
		}
	}
}
