package publish

import (
	"archive/tar"
	"bufio"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// maxNesting is how many archives may lie inside each other: a zip of .xml.gz in a tar.gz is 4.
const maxNesting = 6

// contents takes what is found in a file. Its methods return an error only when the run is over.
type contents interface {
	// stream is called for each stream of XML with its path: the file's, and archive members after '!'. The error of
	// reading r comes back wrapped or as it is.
	stream(path string, r io.Reader) error
	archive()
	junk(reason string)
	fail(path string, f *failure) error
}

// unpacker walks through one file at a time: it keeps what is worth keeping between files. Not safe for concurrent use.
type unpacker struct {
	ctx       context.Context
	out       contents
	maxMember int64
	maxRatio  float64
	temp      string // folder for archives inside archives that must be read out of order
	buffer    *bufio.Reader
}

// bufferBytes is small because whoever reads streams reads in large steps.
const bufferBytes = 16 << 10

// file unpacks the file at a path.
func (u *unpacker) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return u.out.fail(name, failureOf(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return u.out.fail(name, failureOf(err))
	}
	m := &meter{ratio: u.maxRatio, size: info.Size()}
	if u.buffer == nil {
		u.buffer = bufio.NewReaderSize(nil, bufferBytes)
	}
	u.buffer.Reset(m.packed(f))
	head, _ := u.buffer.Peek(sniffBytes) // its error comes again
	if formatOf(name, head) == formatZip {
		err = u.zip(name, f, info.Size(), m, 1)
	} else {
		err = u.unpack(name, name, u.buffer, m, 0)
	}
	return u.settle(name, err)
}

// settle turns what was wrong with the file or member at path into a dead letter. It passes on the end of the run.
func (u *unpacker) settle(path string, err error) error {
	if err == nil || interrupted(u.ctx, err) {
		return err
	}
	return u.out.fail(path, failureOf(err))
}

// unpack reads a stream. path names it; name is what tells its format when its bytes do not.
func (u *unpacker) unpack(path, name string, r *bufio.Reader, m *meter, depth int) error {
	head, err := r.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	format := formatOf(name, head)
	if format != formatXML && depth >= maxNesting {
		return failf(classNesting, "more than %d archives inside each other: unpack the outer ones", maxNesting)
	}
	switch format {
	case formatGzip:
		u.out.archive()
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		return u.unpack(path, inner(name), bufio.NewReaderSize(m.unpack(z), bufferBytes), m, depth+1)
	case formatBzip2:
		u.out.archive()
		return u.unpack(path, inner(name), bufio.NewReaderSize(m.unpack(bzip2.NewReader(r)), bufferBytes), m, depth+1)
	case formatTar:
		return u.tar(path, r, m, depth+1)
	case formatZip:
		return u.spillZip(path, r, m, depth+1)
	case formatUnsupported:
		return failf(classUnsupported, "cannot read this kind of archive: unpack it (7z x, unrar x, unxz ...) and publish the folder")
	}
	if depth > 0 {
		return u.out.stream(path, member(r, u.maxMember))
	}
	return u.out.stream(path, r)
}

func (u *unpacker) tar(name string, r io.Reader, m *meter, depth int) error {
	u.out.archive()
	t := tar.NewReader(r)
	var pending struct { // a failure whose owner, member or archive, the next header decides
		path string
		err  error
	}
	for {
		header, err := t.Next()
		if pending.err != nil && (err == nil || errors.Is(err, io.EOF)) {
			if err := u.settle(pending.path, pending.err); err != nil {
				return err
			}
		}
		pending.err = nil
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err // it is the archive, not the member
		case header.Typeflag == tar.TypeDir:
			continue
		case header.Typeflag != tar.TypeReg:
			u.out.junk(junkSpecial)
			continue
		}
		if reason := junkName(header.Name); reason != "" {
			u.out.junk(reason)
			continue
		}
		pending.path = name + "!" + strings.TrimPrefix(header.Name, "./")
		pending.err = u.unpack(pending.path, path.Base(header.Name), bufio.NewReaderSize(t, bufferBytes), m, depth)
		if interrupted(u.ctx, pending.err) {
			return pending.err
		}
	}
}

func (u *unpacker) zip(name string, r io.ReaderAt, size int64, m *meter, depth int) error {
	u.out.archive()
	directory, err := readDirectory(r, size)
	if err != nil {
		return err
	}
	for {
		entry, err := directory.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case entry.folder():
			continue
		}
		if reason := junkName(entry.name); reason != "" {
			u.out.junk(reason)
			continue
		}
		err = u.entry(name+"!"+entry.name, directory, entry, m, depth)
		var f *failure
		if errors.As(err, &f) && f.class == classBomb {
			return err
		}
		if err := u.settle(name+"!"+entry.name, err); err != nil {
			return err
		}
	}
}

func (u *unpacker) entry(name string, d *directory, e entry, m *meter, depth int) error {
	r, err := d.open(e)
	if err != nil {
		return err
	}
	m.read += int64(e.packed)
	return u.unpack(name, path.Base(e.name), bufio.NewReaderSize(m.unpack(r), bufferBytes), m, depth)
}

// spillZip reads a zip inside another archive. Its table of contents is at its end, so it goes to a file first.
func (u *unpacker) spillZip(name string, r io.Reader, m *meter, depth int) error {
	if err := os.MkdirAll(u.temp, 0o755); err != nil {
		return fmt.Errorf("folder for archives inside archives: %w", err)
	}
	f, err := os.CreateTemp(u.temp, "publish-*.zip")
	if err != nil {
		return fmt.Errorf("file for an archive inside an archive: %w", err)
	}
	defer f.Close()
	// Nobody else needs its name, and so it is gone whatever happens to this process.
	if err := os.Remove(f.Name()); err != nil {
		return err
	}
	size, err := io.Copy(f, member(r, u.maxMember))
	if err != nil {
		return err
	}
	return u.zip(name, f, size, m, depth)
}

// pathless is an error of the file system without the path, which the message has already.
func pathless(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("cannot %s it: %w", e.Op, e.Err)
	}
	return err
}
