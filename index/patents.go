package index

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"dssdnet/schemas"
)

// Patents are the attributes of the patents of an open index by ordinal, the rank of the patent's id. It is safe for
// concurrent use and never changes. A patent takes about 50 bytes.
type Patents struct {
	ids       []byte
	idEnds    []uint32
	published []schemas.Date
	families  []familyKey

	subclasses    []string // names by number
	subclassEnds  []uint32
	subclassOf    []uint32 // numbers of all patents, one after the other
	subclassLists func() map[string][]uint32

	byFamily func() []uint32 // ordinals by family
	contents []Content       // empty unless asked for
}

// noDate is the publication day of a patent whose day is unknown.
const noDate = math.MinInt32

// Len is the number of patents.
func (p *Patents) Len() int { return len(p.idEnds) }

// ID is the patent id of an ordinal.
func (p *Patents) ID(ordinal uint32) string { return string(p.id(ordinal)) }

func (p *Patents) id(ordinal uint32) []byte {
	start := uint32(0)
	if ordinal > 0 {
		start = p.idEnds[ordinal-1]
	}
	return p.ids[start:p.idEnds[ordinal]]
}

// Find returns the ordinal of a patent.
func (p *Patents) Find(id string) (ordinal uint32, ok bool) {
	at := sort.Search(p.Len(), func(i int) bool { return string(p.id(uint32(i))) >= id })
	return uint32(at), at < p.Len() && string(p.id(uint32(at))) == id
}

// Published is the earliest publication day of a patent; ok is false when it is unknown.
func (p *Patents) Published(ordinal uint32) (day schemas.Date, ok bool) {
	day = p.published[ordinal]
	return day, day != noDate
}

// Content is the content hash of a patent. The index must have been opened with Options.Contents.
func (p *Patents) Content(ordinal uint32) Content { return p.contents[ordinal] }

// Subclasses are the IPC subclasses of a patent, sorted.
func (p *Patents) Subclasses(ordinal uint32) []string {
	start := uint32(0)
	if ordinal > 0 {
		start = p.subclassEnds[ordinal-1]
	}
	var names []string
	for _, number := range p.subclassOf[start:p.subclassEnds[ordinal]] {
		names = append(names, p.subclasses[number])
	}
	return names
}

// WithSubclass returns the patents that have at least one of the IPC subclasses, ascending.
func (p *Patents) WithSubclass(names []string) []uint32 {
	var all []uint32
	for _, name := range names {
		all = append(all, p.subclassLists()[name]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Family returns the patents of a family, ascending; none for the family "".
func (p *Patents) Family(id string) []uint32 { return p.family(keyOfFamily(id)) }

// FamilyOf returns the patents of the family of a patent, itself among them; none when it has no known family.
func (p *Patents) FamilyOf(ordinal uint32) []uint32 { return p.family(p.families[ordinal]) }

func (p *Patents) family(key familyKey) []uint32 {
	if key == noFamily {
		return nil
	}
	order := p.byFamily()
	from, _ := slices.BinarySearchFunc(order, key, func(o uint32, key familyKey) int { return cmp.Compare(p.families[o], key) })
	to := from
	for to < len(order) && p.families[order[to]] == key {
		to++
	}
	return slices.Sorted(slices.Values(order[from:to]))
}

// familyKey is a family id as a number: the id itself when it is a decimal number below 2^63 as DOCDB's are, a hash
// with the top bit set otherwise.
type familyKey uint64

const noFamily familyKey = math.MaxUint64

func keyOfFamily(id string) familyKey {
	if id == "" {
		return noFamily
	}
	if n, err := strconv.ParseUint(id, 10, 63); err == nil && (id[0] != '0' || id == "0") && !strings.HasPrefix(id, "+") {
		return familyKey(n)
	}
	if key := familyKey(xxhash.Sum64String(id)) | 1<<63; key != noFamily {
		return key
	}
	return noFamily - 1
}

// finish prepares what is computed on first use.
func (p *Patents) finish() {
	p.byFamily = sync.OnceValue(func() []uint32 {
		var order []uint32
		for ordinal, key := range p.families {
			if key != noFamily {
				order = append(order, uint32(ordinal))
			}
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(p.families[a], p.families[b]) })
		return order
	})
	p.subclassLists = sync.OnceValue(func() map[string][]uint32 {
		lists := make(map[string][]uint32, len(p.subclasses))
		start := uint32(0)
		for ordinal, end := range p.subclassEnds {
			for _, number := range p.subclassOf[start:end] {
				name := p.subclasses[number]
				lists[name] = append(lists[name], uint32(ordinal))
			}
			start = end
		}
		return lists
	})
}
