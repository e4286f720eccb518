package trec

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 10

// eachLine calls visit with the columns of every line that is not empty, from 1, and returns what the file was. noun
// says in messages what the file is to be. The columns are valid until visit returns; an error of visit gets the place
// in front.
func eachLine(ctx context.Context, path, noun string, visit func(columns [][]byte) error) (manifest.Input, error) {
	input := manifest.Input{Path: path}
	f, err := os.Open(path)
	if err != nil {
		return input, fault.New(fault.Rejected, "%s %s cannot be read: %w", noun, path, err)
	}
	defer f.Close()
	hash, size := sha256.New(), &counter{}
	text, err := plain(io.TeeReader(f, io.MultiWriter(hash, size)))
	if err != nil {
		return input, fault.New(fault.Rejected, "%s %s: %w", noun, path, err)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	var columns [][]byte
	for n := 1; lines.Scan(); n++ {
		if n%100_000 == 0 && ctx.Err() != nil {
			return input, ctx.Err()
		}
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if columns = fields(line, columns[:0]); len(columns) == 0 {
			continue
		}
		if err := visit(columns); err != nil {
			return input, fault.New(fault.Rejected, "%s:%d: %w", path, n, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return input, fault.New(fault.Rejected, "%s has a line of more than %d bytes: it is no %s", path, maxLine, noun)
	case err != nil:
		return input, fault.New(fault.Rejected, "%s %s is damaged or cut short: %w: fetch or make it again", noun, path, err)
	}
	input.Size, input.SHA256 = size.n, hex.EncodeToString(hash.Sum(nil))
	return input, nil
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// plain unpacks gzip, known by its first bytes.
func plain(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 256<<10)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	z, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("it begins as gzip and is none: %w", err)
	}
	return z, nil
}

// fields appends the columns of a line.
func fields(line []byte, columns [][]byte) [][]byte {
	for i := 0; i < len(line); {
		if line[i] <= ' ' {
			i++
			continue
		}
		start := i
		for i < len(line) && line[i] > ' ' {
			i++
		}
		columns = append(columns, line[start:i])
	}
	return columns
}

// view is b as a string that shares its bytes.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
