package merge

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const (
	// groupBytes and groupRows bound a row group: its compressed pages are in memory until it is complete.
	groupBytes = 64 << 20
	groupRows  = 1 << 17
	// flatBytes is about what a patent takes beside its texts.
	flatBytes = 256
)

// write makes the files of the new patents/: those without touched patents are linked, the others merged from the
// runs and the old files.
func (j *job) write(ctx context.Context, ranges []fileRange, in *runs, old state) ([]patentFile, error) {
	if err := os.MkdirAll(j.newDir(), 0o755); err != nil {
		return nil, fmt.Errorf("make the new patents folder: %w", err)
	}
	kept := map[string]patentFile{}
	for _, f := range old.Files {
		kept[f.Name] = f
	}
	task := j.Progress.Start("merge: write", j.result.Patents, progress.Patents)
	defer task.Done()
	made := make([]patentFile, len(ranges))
	group, writing := errgroup.WithContext(ctx)
	group.SetLimit(j.Threads)
	for i, r := range ranges {
		if before, ok := kept[r.name()]; ok && !r.touched && r.same(before.fileRange) {
			if err := link(filepath.Join(j.out, before.Name), filepath.Join(j.newDir(), before.Name)); err != nil {
				return nil, errors.Join(fmt.Errorf("keep %s: %w", before.Name, err), group.Wait())
			}
			made[i] = before
			j.result.FilesKept++
			task.Add(r.Patents)
			continue
		}
		j.result.FilesWritten++
		low, high := "", ""
		if i > 0 {
			low = r.First
		}
		if i+1 < len(ranges) {
			high = ranges[i+1].First
		}
		group.Go(func() (err error) {
			made[i], err = j.writeFile(writing, r, in, old.between(j.out, low, high), task)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, f := range made {
		j.result.Bytes += f.Size
	}
	return made, nil
}

// writeFile merges one range.
func (j *job) writeFile(ctx context.Context, r fileRange, in *runs, old *oldPatents, task progress.Task) (patentFile, error) {
	defer old.close()
	path := filepath.Join(j.newDir(), r.name())
	out, err := createPatents(path)
	if err != nil {
		return patentFile{}, fmt.Errorf("write %s: %w", r.name(), err)
	}
	defer out.file.Close()
	m := &rangeMerge{ctx: ctx, old: old, out: out, task: task}
	if err := each(in.list, old.low, old.high, m.document); err != nil {
		return patentFile{}, err
	}
	if err := m.finish(); err != nil {
		return patentFile{}, err
	}
	if out.patents != r.Patents {
		return patentFile{}, fmt.Errorf("%s came out with %d patents where the plan has %d: run `dssdnet ingest merge --force`", r.name(), out.patents, r.Patents)
	}
	size, sum, err := out.close()
	if err != nil {
		return patentFile{}, fmt.Errorf("write %s: %w", r.name(), err)
	}
	return patentFile{Name: r.name(), fileRange: r, Size: size, SHA256: sum}, nil
}

// rangeMerge merges the sorted documents of touched patents into the old patents of a range.
type rangeMerge struct {
	ctx  context.Context
	old  *oldPatents
	out  *patentWriter
	task progress.Task

	id    string
	parts []*part // documents of patent id so far
}

// document takes the next document.
func (m *rangeMerge) document(patentID string, payload []byte) error {
	if patentID != m.id {
		if err := m.flush(); err != nil {
			return err
		}
		m.id = patentID
	}
	p := new(part)
	m.parts = append(m.parts, p)
	return p.decode(patentID, payload)
}

// flush writes the patent whose documents are complete, after the old ones before it and instead of its old self.
func (m *rangeMerge) flush() error {
	if len(m.parts) == 0 {
		return m.ctx.Err()
	}
	if err := m.copyOld(m.id); err != nil {
		return err
	}
	before, err := m.old.peek()
	if err != nil {
		return err
	}
	if before != nil && before.PatentID == m.id {
		m.old.take()
	}
	if !m.parts[0].isTombstone() {
		if err := m.write(merged(m.parts)); err != nil {
			return err
		}
	}
	m.parts = m.parts[:0]
	return m.ctx.Err()
}

func (m *rangeMerge) finish() error {
	if err := m.flush(); err != nil {
		return err
	}
	return m.copyOld("")
}

// copyOld copies the old patents before an id, or all for "".
func (m *rangeMerge) copyOld(before string) error {
	for {
		p, err := m.old.peek()
		if err != nil || p == nil || before != "" && p.PatentID >= before {
			return err
		}
		if err := m.write(p); err != nil {
			return err
		}
		m.old.take()
	}
}

func (m *rangeMerge) write(p *schemas.Patent) error {
	m.task.Add(1)
	if err := m.out.write(p); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(m.out.file.Name()), err)
	}
	return nil
}

// patentWriter writes one file of patents/. Row groups are cut by what is in them, so equal rows make equal bytes.
type patentWriter struct {
	file    *os.File
	buffer  *bufio.Writer
	hash    hash.Hash
	rows    *parquet.GenericWriter[schemas.Patent]
	one     []schemas.Patent
	bytes   int64 // in the row group so far
	inGroup int64
	patents int64
}

func createPatents(path string) (*patentWriter, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	w := &patentWriter{file: file, hash: sha256.New(), one: make([]schemas.Patent, 1)}
	w.buffer = bufio.NewWriterSize(io.MultiWriter(file, w.hash), 1<<20)
	w.rows = schemas.NewWriter[schemas.Patent](schemas.Patents, w.buffer)
	return w, nil
}

func (w *patentWriter) write(p *schemas.Patent) error {
	w.one[0] = *p
	if _, err := w.rows.Write(w.one); err != nil {
		return err
	}
	w.patents++
	w.inGroup++
	w.bytes += flatBytes + textBytes(p)
	if w.bytes < groupBytes && w.inGroup < groupRows {
		return nil
	}
	w.bytes, w.inGroup = 0, 0
	return w.rows.Flush()
}

// close makes the file durable.
func (w *patentWriter) close() (size int64, sum string, err error) {
	if err := w.rows.Close(); err != nil {
		return 0, "", err
	}
	if err := w.buffer.Flush(); err != nil {
		return 0, "", err
	}
	info, err := w.file.Stat()
	if err != nil {
		return 0, "", err
	}
	return info.Size(), hex.EncodeToString(w.hash.Sum(nil)), w.file.Sync()
}

// link puts the file at path under another name as well: by a hard link, or by a copy on file systems that have none.
func link(path, name string) error {
	if os.Link(path, name) == nil {
		return nil
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return to.Sync()
}
