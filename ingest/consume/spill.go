package consume

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// perBlock is how many versions are read for a look-up: nearly a page of the disk.
const perBlock = 170

// spill is a file of versions sorted by key, each key once. The file has no name: it is gone when the process ends.
type spill struct {
	file   *os.File
	count  int64
	fences []uint64 // first key of each block
}

// get looks a key up.
func (s *spill) get(key uint64) (version, bool, error) {
	block, found := slices.BinarySearch(s.fences, key)
	if !found {
		block--
	}
	if block < 0 {
		return version{}, false, nil
	}
	var buffer [perBlock * versionSize]byte
	first := int64(block) * perBlock
	data := buffer[:min(perBlock, s.count-first)*versionSize]
	if _, err := s.file.ReadAt(data, first*versionSize); err != nil {
		return version{}, false, fmt.Errorf("read versions of documents from %s: %w", s.file.Name(), err)
	}
	low, high := 0, len(data)/versionSize
	for low < high {
		middle := (low + high) / 2
		v := decode(data[middle*versionSize:])
		switch {
		case v.key == key:
			return v, true, nil
		case v.key < key:
			low = middle + 1
		default:
			high = middle
		}
	}
	return version{}, false, nil
}

func (s *spill) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// merge writes the versions of t and of an older spill, which may be nil, into a new one in dir, and leaves t empty. Of
// two versions with one key the newer stays.
func merge(dir string, t *table, old *spill) (_ *spill, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "versions-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if err := os.Remove(file.Name()); err != nil {
		return nil, err
	}
	out := &spillWriter{spill: &spill{file: file}, buffer: bufio.NewWriterSize(file, 1<<20)}
	previous := old.stream()
	w, more, err := previous()
	if err != nil {
		return nil, err
	}
	err = t.sorted(func(v version) error {
		for more && w.key < v.key {
			if err := out.add(w); err != nil {
				return err
			}
			if w, more, err = previous(); err != nil {
				return err
			}
		}
		if more && w.key == v.key {
			if w.order > v.order {
				v = w
			}
			if w, more, err = previous(); err != nil {
				return err
			}
		}
		return out.add(v)
	})
	for err == nil && more {
		if err = out.add(w); err == nil {
			w, more, err = previous()
		}
	}
	if err = errors.Join(err, out.buffer.Flush()); err != nil {
		return nil, err
	}
	return out.spill, nil
}

// stream reads a spill from its beginning. more is false after the last version.
func (s *spill) stream() func() (v version, more bool, err error) {
	if s == nil {
		return func() (version, bool, error) { return version{}, false, nil }
	}
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.count*versionSize), 1<<20)
	var buffer [versionSize]byte
	return func() (version, bool, error) {
		_, err := io.ReadFull(in, buffer[:])
		if errors.Is(err, io.EOF) {
			return version{}, false, nil
		}
		return decode(buffer[:]), err == nil, err
	}
}

type spillWriter struct {
	*spill
	buffer *bufio.Writer
}

func (w *spillWriter) add(v version) error {
	if w.count%perBlock == 0 {
		w.fences = append(w.fences, v.key)
	}
	w.count++
	var b [versionSize]byte
	binary.LittleEndian.PutUint64(b[0:], v.key)
	binary.LittleEndian.PutUint64(b[8:], v.hash)
	binary.LittleEndian.PutUint64(b[16:], v.order)
	_, err := w.buffer.Write(b[:])
	return err
}

func decode(b []byte) version {
	return version{binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
}
