package topics

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dssdnet/internal/fault"
)

// source is a set of files to find topics in.
type source struct {
	fs.FS
	list  string // the topic file in it, "" to look for one
	close func() error
}

// openSource opens what Path names. temp is a folder that does not exist: an archive that cannot be read at random is
// unpacked there, and close removes it.
func (c Config) openSource(ctx context.Context, temp string) (*source, error) {
	info, err := os.Stat(c.Path)
	if err != nil {
		return nil, fault.New(fault.Rejected, "topics %s cannot be read: %w", c.Path, err)
	}
	if info.IsDir() {
		return &source{FS: os.DirFS(c.Path), close: func() error { return nil }}, nil
	}
	head, err := readHead(os.DirFS(filepath.Dir(c.Path)), filepath.Base(c.Path))
	if err != nil {
		return nil, fault.New(fault.Rejected, "topics %s cannot be read: %w", c.Path, err)
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return c.openZip()
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}), isTar(head):
		return c.unpackTar(ctx, temp)
	default:
		return &source{FS: os.DirFS(filepath.Dir(c.Path)), list: filepath.Base(c.Path), close: func() error { return nil }}, nil
	}
}

func (c Config) openZip() (*source, error) {
	archive, err := zip.OpenReader(c.Path)
	if err != nil {
		return nil, c.damaged(err)
	}
	var total uint64
	for _, f := range archive.File {
		total += f.UncompressedSize64
	}
	if total > uint64(c.MaxUnpackedBytes) {
		_ = archive.Close()
		return nil, c.tooBig()
	}
	return &source{FS: archive, close: archive.Close}, nil
}

// unpackTar unpacks the regular files of a .tar or .tar.gz.
func (c Config) unpackTar(ctx context.Context, temp string) (*source, error) {
	f, err := os.Open(c.Path)
	if err != nil {
		return nil, fault.New(fault.Rejected, "topics %s cannot be read: %w", c.Path, err)
	}
	defer f.Close()
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder to unpack topics into: %w", err)
	}
	root, err := os.OpenRoot(temp)
	if err == nil {
		err = c.unpack(ctx, f, root)
	}
	if err != nil {
		if root != nil {
			_ = root.Close()
		}
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return &source{FS: root.FS(), close: func() error { return errors.Join(root.Close(), os.RemoveAll(temp)) }}, nil
}

func (c Config) unpack(ctx context.Context, f io.Reader, root *os.Root) error {
	buffered := bufio.NewReader(f)
	var content io.Reader = buffered
	if magic, err := buffered.Peek(2); err == nil && bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return c.damaged(err)
		}
		content = unzipped
	}
	// The limit covers headers and members that are skipped, too.
	limited := &io.LimitedReader{R: content, N: int64(c.MaxUnpackedBytes)}
	members := tar.NewReader(limited)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		header, err := members.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && limited.N <= 0:
			return c.tooBig()
		case err != nil:
			return c.damaged(err)
		}
		name := path.Clean(strings.TrimPrefix(header.Name, "/"))
		if header.Typeflag != tar.TypeReg || !fs.ValidPath(name) {
			continue
		}
		if err := writeMember(root, name, members); err != nil {
			if limited.N <= 0 {
				return c.tooBig()
			}
			return c.damaged(err)
		}
	}
}

func writeMember(root *os.Root, name string, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

func (c Config) damaged(err error) error {
	return fault.New(fault.Rejected, "archive %s cannot be unpacked: %w", c.Path, err)
}

func (c Config) tooBig() error {
	return fault.New(fault.Rejected, "archive %s unpacks to more than --max-unpacked-bytes %s: raise the limit if it is what it should be", c.Path, c.MaxUnpackedBytes)
}

// isTar knows the magic of every tar since POSIX 1988.
func isTar(head []byte) bool { return len(head) >= 262 && string(head[257:262]) == "ustar" }

const headBytes = 4096

func readHead(source fs.FS, name string) ([]byte, error) {
	f, err := source.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, headBytes))
}
