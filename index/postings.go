package index

import (
	"fmt"
	"slices"
	"sort"

	segment "github.com/blugelabs/bluge_segment_api"
)

// Postings are the patents that have a term, by ascending ordinal. Its length is the document frequency.
type Postings struct {
	Docs []uint32 // ordinals
	// Freqs are the term's frequencies, parallel to Docs. The value Many stands for Many or more: then Freq has it.
	Freqs []uint8
	many  []manyFreq
}

// Many is the least frequency that does not fit into Postings.Freqs.
const Many = 255

type manyFreq struct {
	at   uint32 // place in Docs
	freq uint32
}

// Freq is the frequency of the term in the patent Docs[i].
func (p *Postings) Freq(i int) uint32 {
	if f := p.Freqs[i]; f < Many {
		return uint32(f)
	}
	at := sort.Search(len(p.many), func(k int) bool { return p.many[k].at >= uint32(i) })
	return p.many[at].freq
}

// Find returns the place of a patent in Docs.
func (p *Postings) Find(patent uint32) (at int, ok bool) { return slices.BinarySearch(p.Docs, patent) }

// size is about what the postings take in memory, with their place in the cache.
func (p *Postings) size() int64 {
	return int64(5*len(p.Docs) + 8*len(p.many) + 300)
}

// Postings returns the decoded postings of a term in a field, empty when no patent has it. It is safe for
// concurrent use; the result is shared and must not be changed.
func (ix *Index) Postings(field int, term string) (*Postings, error) {
	return ix.cache.get(cacheKey{field, term}, func() (*Postings, error) {
		d := ix.decoders.Get().(*decoder)
		defer ix.decoders.Put(d)
		list, err := d.decode(ix, field, term)
		if err != nil {
			return nil, fmt.Errorf("read the postings of %q in %s: %w", term, ix.dir, err)
		}
		return list, nil
	})
}

// decoder reads postings out of the segments. It keeps what can be used again and serves one goroutine at a time.
type decoder struct {
	dictionaries [][]segment.Dictionary // by field, by segment; nil until used
	list         segment.PostingsList
	iterator     segment.PostingsIterator
	packed       []uint64 // ordinal << 32 | frequency
}

func (d *decoder) decode(ix *Index, field int, term string) (*Postings, error) {
	d.packed = d.packed[:0]
	err := d.each(ix, field, term, d.append)
	if err != nil {
		return nil, err
	}
	if !slices.IsSorted(d.packed) { // several segments have patents of the same range of ids: an increment
		slices.Sort(d.packed)
	}
	return unpack(d.packed), nil
}

// count is the length of the list that decode returns.
func (d *decoder) count(ix *Index, field int, term string) (n int64, err error) {
	err = d.each(ix, field, term, func(openSegment) error {
		n += int64(d.list.Count())
		return nil
	})
	return n, err
}

// each calls visit for every segment with the term, its postings in d.list.
func (d *decoder) each(ix *Index, field int, term string, visit func(openSegment) error) error {
	if d.dictionaries[field] == nil {
		dictionaries := make([]segment.Dictionary, len(ix.segments))
		for i, s := range ix.segments {
			var err error
			if dictionaries[i], err = s.Dictionary(ix.fields[field].Name); err != nil {
				return err
			}
		}
		d.dictionaries[field] = dictionaries
	}
	key := []byte(term)
	for i, s := range ix.segments {
		var err error
		d.list, err = d.dictionaries[field][i].PostingsList(key, s.deleted, d.list)
		if err == nil && d.list.Count() > 0 { // ice misreads a reused list that is empty
			err = visit(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) append(s openSegment) (err error) {
	d.iterator, err = d.list.Iterator(true, true, false, d.iterator)
	if err != nil {
		return err
	}
	for {
		posting, err := d.iterator.Next()
		if err != nil || posting == nil {
			return err
		}
		d.packed = append(d.packed, uint64(s.ordinals[posting.Number()])<<32|uint64(posting.Frequency()))
	}
}

func unpack(packed []uint64) *Postings {
	p := &Postings{Docs: make([]uint32, len(packed)), Freqs: make([]uint8, len(packed))}
	for i, v := range packed {
		p.Docs[i] = uint32(v >> 32)
		freq := uint32(v)
		if freq >= Many {
			p.many = append(p.many, manyFreq{uint32(i), freq})
			freq = Many
		}
		p.Freqs[i] = uint8(freq)
	}
	return p
}
