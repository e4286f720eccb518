package merge

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"dssdnet/internal/settings"
)

// sorter collects records in a buffer of fixed size and writes it out as a sorted run whenever it is full. It belongs
// to one goroutine, and is closed in the end.
type sorter struct {
	out     *runs
	memory  []byte // mapped: on Go's heap the collector would let as much garbage pile up again
	buffer  []byte // of memory, filled so far
	index   []entry
	scratch []byte
}

// entry is a record in the buffer. Its patent id begins the bytes.
type entry struct {
	start, length int
	idLength      int
}

// entryBytes is the memory of an entry.
const entryBytes = 24

// newSorter makes a sorter that holds at most limit bytes, or one record.
func newSorter(out *runs, limit int64) (*sorter, error) {
	memory, err := unix.Mmap(-1, 0, int(limit), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("get %s of memory to sort in: %w", settings.Bytes(limit), err)
	}
	return &sorter{out: out, memory: memory, buffer: memory[:0]}, nil
}

func (s *sorter) close() error { return unix.Munmap(s.memory) }

func (s *sorter) add(p *part) error {
	s.scratch = p.append(append(s.scratch[:0], p.PatentID...))
	if len(s.buffer)+len(s.scratch)+entryBytes*len(s.index) > len(s.memory) {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.index = append(s.index, entry{start: len(s.buffer), length: len(s.scratch), idLength: len(p.PatentID)})
	s.buffer = append(s.buffer, s.scratch...) // a record that is larger than memory leaves it until the next flush
	return nil
}

// flush writes what is in the buffer as a run.
func (s *sorter) flush() error {
	if len(s.index) == 0 {
		return nil
	}
	slices.SortFunc(s.index, func(a, b entry) int { return strings.Compare(s.id(a), s.id(b)) })
	w, err := s.out.create()
	if err != nil {
		return err
	}
	for _, e := range s.index {
		if err = w.add(s.id(e), s.buffer[e.start+e.idLength:e.start+e.length]); err != nil {
			break
		}
	}
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		_ = w.run.file.Close()
		return err
	}
	s.out.add(w.run)
	s.buffer, s.index = s.memory[:0], s.index[:0]
	return nil
}

// id is the patent id of an entry, valid while the buffer is.
func (s *sorter) id(e entry) string {
	return unsafe.String(unsafe.SliceData(s.buffer[e.start:]), e.idLength)
}
