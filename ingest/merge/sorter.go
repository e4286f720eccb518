package merge

import (
	"slices"
	"strings"
	"unsafe"
)

// sorter collects records in a buffer of fixed size and writes it out as a sorted run whenever it is full. It belongs
// to one goroutine.
type sorter struct {
	out    *runs
	limit  int64
	buffer []byte
	index  []entry
}

// entry is a record in the buffer. Its patent id begins the bytes.
type entry struct {
	start, length int
	idLength      int
}

// entryBytes is the memory of an entry.
const entryBytes = 24

func newSorter(out *runs, limit int64) *sorter { return &sorter{out: out, limit: limit} }

func (s *sorter) add(p *part) error {
	start := len(s.buffer)
	s.buffer = append(s.buffer, p.PatentID...)
	s.buffer = p.append(s.buffer)
	s.index = append(s.index, entry{start: start, length: len(s.buffer) - start, idLength: len(p.PatentID)})
	if int64(len(s.buffer)+entryBytes*len(s.index)) < s.limit {
		return nil
	}
	return s.flush()
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
	s.buffer, s.index = s.buffer[:0], s.index[:0]
	return nil
}

// id is the patent id of an entry, valid while the buffer is.
func (s *sorter) id(e entry) string {
	return unsafe.String(unsafe.SliceData(s.buffer[e.start:]), e.idLength)
}
