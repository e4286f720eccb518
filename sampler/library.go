package sampler

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// library is what the draws know of the patents of patents/, by ordinal: the rank of the patent id among all. Files
// and row groups leave no trace in the ordinals. It takes 40 to 60 bytes a patent, and never changes.
type library struct {
	columns
	codes   *codes
	english []uint32 // patents with an English title or abstract
	withIPC int
	// indexes over english, made when a strategy needs them
	classified func() []uint32          // with an IPC code
	bySubclass func() map[code][]uint32 // by subclass
}

// columns are attributes of patents by row.
type columns struct {
	ids       []byte // one after the other
	idEnds    []uint32
	families  []family
	published []schemas.Date
	codeOf    []code // of all patents one after the other, sorted within a patent
	codeEnds  []uint32
	text      []bool // an English title or abstract
}

// nowhere is the ordinal of what is not in the library.
const nowhere = 1<<32 - 1

// noDate is a day that is not known.
const noDate schemas.Date = -1 << 31

func dateOf(d *schemas.Date) schemas.Date {
	if d == nil {
		return noDate
	}
	return *d
}

type patentRow struct {
	PatentID        string        `parquet:"patent_id"`
	PublicationDate *schemas.Date `parquet:"publication_date,optional,date"`
	FamilyID        string        `parquet:"family_id,optional"`
	TextLang        string        `parquet:"text_lang,optional,dict"`
	IPCSubclasses   []string      `parquet:"ipc_subclasses,list"`
}

func (c *columns) len() int { return len(c.idEnds) }

func (c *columns) idBytes(at uint32) []byte {
	start := uint32(0)
	if at > 0 {
		start = c.idEnds[at-1]
	}
	return c.ids[start:c.idEnds[at]]
}

// id is the patent id of an ordinal.
func (c *columns) id(at uint32) string { return string(c.idBytes(at)) }

// subclasses are the IPC subclasses of a patent.
func (c *columns) subclasses(at uint32) []code {
	start := uint32(0)
	if at > 0 {
		start = c.codeEnds[at-1]
	}
	return c.codeOf[start:c.codeEnds[at]]
}

// find returns the ordinal of a patent, or nowhere.
func (l *library) find(id string) uint32 {
	at := sort.Search(l.len(), func(i int) bool { return string(l.idBytes(uint32(i))) >= id })
	if at < l.len() && string(l.idBytes(uint32(at))) == id {
		return uint32(at)
	}
	return nowhere
}

func (c *columns) addRow(row *patentRow, numbers *codes) error {
	c.ids = append(c.ids, row.PatentID...)
	c.idEnds = append(c.idEnds, uint32(len(c.ids)))
	c.families = append(c.families, familyOf(row.FamilyID))
	c.published = append(c.published, dateOf(row.PublicationDate))
	var err error
	start := len(c.codeOf)
	if c.codeOf, err = numbers.add(c.codeOf, row.IPCSubclasses); err != nil {
		return err
	}
	slices.Sort(c.codeOf[start:])
	c.codeEnds = append(c.codeEnds, uint32(len(c.codeOf)))
	// text_lang is the best language that has a title or an abstract, and English is the best of all.
	c.text = append(c.text, row.TextLang == "en")
	return nil
}

// addFrom appends row at of another.
func (c *columns) addFrom(from *columns, at uint32) {
	c.ids = append(c.ids, from.idBytes(at)...)
	c.idEnds = append(c.idEnds, uint32(len(c.ids)))
	c.families = append(c.families, from.families[at])
	c.published = append(c.published, from.published[at])
	c.codeOf = append(c.codeOf, from.subclasses(at)...)
	c.codeEnds = append(c.codeEnds, uint32(len(c.codeOf)))
	c.text = append(c.text, from.text[at])
}

// loadLibrary reads the narrow columns of patents/.
func loadLibrary(ctx context.Context, patents *source, workers int, task progress.Task) (*library, error) {
	numbers := newCodes()
	parts := make([]columns, len(patents.files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range patents.files {
		group.Go(func() error {
			return each(ctx, patents.files[i], func(row *patentRow) error {
				task.Add(1)
				return parts[i].addRow(row, numbers)
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all, err := joinColumns(parts, patents)
	if err != nil {
		return nil, err
	}
	return newLibrary(all, numbers), nil
}

// joinColumns puts the rows of all files in the order of patent id.
func joinColumns(parts []columns, patents *source) (columns, error) {
	type place struct{ part, row uint32 }
	var places []place
	var ids, classes int
	for part := range parts {
		for row := range parts[part].len() {
			places = append(places, place{uint32(part), uint32(row)})
		}
		ids, classes = ids+len(parts[part].ids), classes+len(parts[part].codeOf)
	}
	if ids > nowhere || classes > nowhere {
		return columns{}, fault.New(fault.Rejected, "patents/ has %d rows, more than one library can hold", len(places))
	}
	idOf := func(p place) []byte { return parts[p.part].idBytes(p.row) }
	order := func(a, b place) int { return cmp.Or(bytes.Compare(idOf(a), idOf(b)), cmp.Compare(a.part, b.part)) }
	if !slices.IsSortedFunc(places, order) {
		slices.SortFunc(places, order)
	}
	n := len(places)
	all := columns{
		ids: make([]byte, 0, ids), idEnds: make([]uint32, 0, n), families: make([]family, 0, n), published: make([]schemas.Date, 0, n),
		codeOf: make([]code, 0, classes), codeEnds: make([]uint32, 0, n), text: make([]bool, 0, n),
	}
	for i, p := range places {
		switch id := idOf(p); {
		case len(id) == 0:
			return columns{}, fault.New(fault.Rejected, "%s has a row without patent id: make it again (dssdnet ingest merge --force)", patents.files[p.part].Path)
		case i > 0 && bytes.Equal(id, idOf(places[i-1])):
			return columns{}, fault.New(fault.Rejected, "patent %s stands twice in patents/, in %s and %s: make it again (dssdnet ingest merge --force)",
				id, patents.files[places[i-1].part].Path, patents.files[p.part].Path)
		}
		all.addFrom(&parts[p.part], p.row)
	}
	return all, nil
}

func newLibrary(all columns, numbers *codes) *library {
	l := &library{columns: all, codes: numbers}
	for at := range uint32(l.len()) {
		if l.text[at] {
			l.english = append(l.english, at)
		}
		if len(l.subclasses(at)) > 0 {
			l.withIPC++
		}
	}
	l.classified = sync.OnceValue(func() []uint32 {
		var list []uint32
		for _, at := range l.english {
			if len(l.subclasses(at)) > 0 {
				list = append(list, at)
			}
		}
		return list
	})
	l.bySubclass = sync.OnceValue(func() map[code][]uint32 {
		lists := map[code][]uint32{}
		for _, at := range l.english {
			for _, c := range l.subclasses(at) {
				lists[c] = append(lists[c], at)
			}
		}
		return lists
	})
	return l
}

// withSubclass returns the patents with English text that have one of the subclasses, ascending.
func (l *library) withSubclass(subclasses []code) []uint32 {
	var all []uint32
	for _, c := range subclasses {
		all = append(all, l.bySubclass()[c]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
