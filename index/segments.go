package index

import (
	"bytes"
	"container/heap"
	"fmt"
	"math"
	"sort"

	"github.com/RoaringBitmap/roaring"
	"github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"

	"dssdnet/schemas"
)

// openSegment is a segment with the ordinals of its patents.
type openSegment struct {
	segment.Segment
	deleted  *roaring.Bitmap // nil for none
	ordinals []uint32        // by number in the segment; deleted for those
}

const deletedOrdinal = math.MaxUint32

func segmentsOf(snapshot *index.Snapshot) ([]openSegment, error) {
	var segments []openSegment
	for _, s := range snapshot.Segments() {
		opened, ok := s.(interface{ Segment() segment.Segment })
		if !ok {
			return nil, fmt.Errorf("this version of Bluge does not give access to its segments")
		}
		seg := openSegment{Segment: opened.Segment(), deleted: s.Deleted()}
		seg.ordinals = make([]uint32, seg.Count())
		segments = append(segments, seg)
	}
	return segments, nil
}

// segmentPatents are the live patents of one segment, in the order of their ids.
type segmentPatents struct {
	numbers []uint32 // in the segment
	ids     []byte
	idEnds  []uint32

	published    []schemas.Date
	families     []familyKey
	subclasses   []string // names by number, local to the segment
	subclassEnds []uint32
	subclassOf   []uint32
	lengths      [][]uint32 // by field
	contents     []Content
	digest       Digest

	subclassNumbers map[string]uint32
}

// readPatents reads the stored fields of the live patents of a segment.
func readPatents(s openSegment, fields int, contents bool) (*segmentPatents, error) {
	p := &segmentPatents{subclassNumbers: make(map[string]uint32), lengths: make([][]uint32, fields)}
	for number := range s.Count() {
		if s.deleted != nil && s.deleted.Contains(uint32(number)) {
			s.ordinals[number] = deletedOrdinal
			continue
		}
		var stored int
		var failed error
		err := s.VisitStoredFields(number, func(field string, value []byte) bool {
			switch field {
			case FieldID:
				p.ids = append(p.ids, value...)
				p.idEnds = append(p.idEnds, uint32(len(p.ids)))
			case FieldRecord:
				failed = p.record(value, contents)
			default:
				return true
			}
			stored++
			return true
		})
		switch {
		case err != nil:
			return nil, err
		case failed != nil:
			return nil, failed
		case stored != 2:
			return nil, errRecord
		}
		p.numbers = append(p.numbers, uint32(number))
	}
	if !sort.SliceIsSorted(p.numbers, func(i, j int) bool { return bytes.Compare(p.id(i), p.id(j)) < 0 }) {
		return nil, fmt.Errorf("the patents of a segment are not in the order of their ids")
	}
	return p, nil
}

func (p *segmentPatents) record(value []byte, contents bool) error {
	r := recordReader{rest: value}
	var content Content
	copy(content[:], r.bytes(uint64(len(content))))
	p.digest.Add(content)
	if contents {
		p.contents = append(p.contents, content)
	}
	day, known := r.date()
	if !known {
		day = noDate
	}
	p.published = append(p.published, day)
	p.families = append(p.families, keyOfFamily(string(r.text())))
	for range r.number() {
		if r.failed {
			break
		}
		p.subclassOf = append(p.subclassOf, p.subclassNumber(r.text()))
	}
	p.subclassEnds = append(p.subclassEnds, uint32(len(p.subclassOf)))
	if n := r.number(); n != uint64(len(p.lengths)) {
		return errRecord
	}
	for field := range p.lengths {
		p.lengths[field] = append(p.lengths[field], uint32(r.number()))
	}
	return r.err()
}

func (p *segmentPatents) subclassNumber(name []byte) uint32 {
	number, ok := p.subclassNumbers[string(name)]
	if !ok {
		number = uint32(len(p.subclasses))
		p.subclasses = append(p.subclasses, string(name))
		p.subclassNumbers[string(name)] = number
	}
	return number
}

func (p *segmentPatents) id(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = p.idEnds[i-1]
	}
	return p.ids[start:p.idEnds[i]]
}

// joinPatents numbers the patents of all segments by rank of id: it fills the segments' ordinals, and returns the
// attributes and the lengths by field.
func joinPatents(segments []openSegment, parts []*segmentPatents, fields int) (*Patents, [][]uint32, error) {
	var total, idBytes, subclasses int
	for _, part := range parts {
		total += len(part.numbers)
		idBytes += len(part.ids)
		subclasses += len(part.subclassOf)
	}
	if idBytes > math.MaxUint32 || subclasses > math.MaxUint32 {
		return nil, nil, fmt.Errorf("%d patents are more than one index holds", total)
	}
	all := &Patents{
		ids:          make([]byte, 0, idBytes),
		idEnds:       make([]uint32, 0, total),
		published:    make([]schemas.Date, 0, total),
		families:     make([]familyKey, 0, total),
		subclassEnds: make([]uint32, 0, total),
		subclassOf:   make([]uint32, 0, subclasses),
	}
	lengths := make([][]uint32, fields)
	for field := range lengths {
		lengths[field] = make([]uint32, 0, total)
	}
	var runs runHeap
	numbers := make(map[string]uint32)
	for i, part := range parts {
		if len(part.numbers) > 0 {
			runs = append(runs, &run{part: part, ordinals: segments[i].ordinals, subclasses: all.adopt(part.subclasses, numbers)})
		}
	}
	heap.Init(&runs)
	for len(runs) > 0 {
		r := runs[0]
		if n := all.Len(); n > 0 && bytes.Equal(all.id(uint32(n-1)), r.part.id(r.next)) {
			return nil, nil, fmt.Errorf("patent %s stands twice", r.part.id(r.next))
		}
		all.take(r, lengths)
		if r.next++; r.next == len(r.part.numbers) {
			heap.Pop(&runs)
		} else {
			heap.Fix(&runs, 0)
		}
	}
	all.finish()
	return all, lengths, nil
}

// adopt returns the numbers in p of the subclasses of a segment, and keeps them in known.
func (p *Patents) adopt(names []string, known map[string]uint32) []uint32 {
	numbers := make([]uint32, len(names))
	for i, name := range names {
		number, ok := known[name]
		if !ok {
			number = uint32(len(p.subclasses))
			p.subclasses = append(p.subclasses, name)
			known[name] = number
		}
		numbers[i] = number
	}
	return numbers
}

// take appends the next patent of a run.
func (p *Patents) take(r *run, lengths [][]uint32) {
	i, part := r.next, r.part
	r.ordinals[part.numbers[i]] = uint32(p.Len())
	p.ids = append(p.ids, part.id(i)...)
	p.idEnds = append(p.idEnds, uint32(len(p.ids)))
	p.published = append(p.published, part.published[i])
	p.families = append(p.families, part.families[i])
	if part.contents != nil {
		p.contents = append(p.contents, part.contents[i])
	}
	start := uint32(0)
	if i > 0 {
		start = part.subclassEnds[i-1]
	}
	for _, number := range part.subclassOf[start:part.subclassEnds[i]] {
		p.subclassOf = append(p.subclassOf, r.subclasses[number])
	}
	p.subclassEnds = append(p.subclassEnds, uint32(len(p.subclassOf)))
	for field := range lengths {
		lengths[field] = append(lengths[field], part.lengths[field][i])
	}
}

// run is a segment that is being merged, its patents before next taken.
type run struct {
	part       *segmentPatents
	ordinals   []uint32
	subclasses []uint32 // number in the segment → number in the index
	next       int
}

// runHeap is a heap of runs by the id of the next patent.
type runHeap []*run

func (h runHeap) Len() int      { return len(h) }
func (h runHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h runHeap) Less(i, j int) bool {
	return bytes.Compare(h[i].part.id(h[i].next), h[j].part.id(h[j].next)) < 0
}
func (h *runHeap) Push(x any) { *h = append(*h, x.(*run)) }
func (h *runHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}
