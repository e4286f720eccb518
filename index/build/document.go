package build

import (
	segment "github.com/blugelabs/bluge_segment_api"

	"dssdnet/index"
	"dssdnet/index/analysis"
)

// document is a patent as Bluge's writer takes it. It was analysed before.
type document struct {
	id     string
	record []byte
	fields []bag
}

// bag is a field of a document: its terms without an order.
type bag struct {
	name   string
	terms  []analysis.Term
	length int
}

// bytesPerTerm is about what a term of a document costs while Bluge makes a segment of it, and bytesPerDocument what
// a document costs beside its terms.
const (
	bytesPerTerm     = 320
	bytesPerDocument = 1000
)

// bytes is about what the document costs while Bluge makes a segment of it.
func (d *document) bytes() int64 {
	n := int64(bytesPerDocument + len(d.record))
	for _, b := range d.fields {
		n += bytesPerTerm * int64(len(b.terms))
	}
	return n
}

// Analyze has nothing left to do.
func (d *document) Analyze() {}

// EachField shows the document to Bluge.
func (d *document) EachField(visit segment.VisitField) {
	visit(idField(d.id))
	visit(recordField(d.record))
	for i := range d.fields {
		visit(&d.fields[i])
	}
}

func (b *bag) Name() string         { return b.name }
func (b *bag) Length() int          { return b.length }
func (b *bag) Value() []byte        { return nil }
func (b *bag) Index() bool          { return true }
func (b *bag) Store() bool          { return false }
func (b *bag) IndexDocValues() bool { return false }
func (b *bag) EachTerm(visit segment.VisitTerm) {
	var t term // one for all: Bluge keeps none of it
	for _, each := range b.terms {
		t.text = append(t.text[:0], each.Text...)
		t.count = int(each.Count)
		visit(&t)
	}
}

type term struct {
	text  []byte
	count int
}

func (t *term) Term() []byte                       { return t.text }
func (t *term) Frequency() int                     { return t.count }
func (t *term) EachLocation(segment.VisitLocation) {}

// idField is the patent id: stored, and a term by which Bluge finds what an increment replaces.
type idField string

func (f idField) Name() string         { return index.FieldID }
func (f idField) Field() string        { return index.FieldID }
func (f idField) Term() []byte         { return []byte(f) }
func (f idField) Length() int          { return 1 }
func (f idField) Value() []byte        { return []byte(f) }
func (f idField) Index() bool          { return true }
func (f idField) Store() bool          { return true }
func (f idField) IndexDocValues() bool { return false }
func (f idField) EachTerm(visit segment.VisitTerm) {
	visit(&term{text: []byte(f), count: 1})
}

type recordField []byte

func (f recordField) Name() string               { return index.FieldRecord }
func (f recordField) Length() int                { return 0 }
func (f recordField) Value() []byte              { return f }
func (f recordField) Index() bool                { return false }
func (f recordField) Store() bool                { return true }
func (f recordField) IndexDocValues() bool       { return false }
func (f recordField) EachTerm(segment.VisitTerm) {}
