package patentxml

import "dssdnet/schemas"

// Limits bound what one document may take.
type Limits struct {
	DocumentBytes int64 // of the XML; a longer document is cut
	FieldBytes    int64 // of each text column; a longer text is cut at the end of a word
}

// DefaultLimits takes documents of 8 MiB and texts of 4 MiB: the longest description seen in a real patent without a
// sequence listing has 1.3 million characters.
func DefaultLimits() Limits { return Limits{DocumentBytes: 8 << 20, FieldBytes: 4 << 20} }

// Parser turns patent XML into rows. It keeps its buffers from document to document and is not safe for concurrent use:
// each goroutine has its own.
type Parser struct {
	limits Limits
	fast   fastTokenizer
	slow   slowTokenizer
	refs   *references
	names  *interner
	warn   warnings
	draft  draft
	placed []placed

	reader reader

	slowOnly bool // tests compare the tokenizers
}

// NewParser returns a parser. Limits that are zero or negative are the default ones.
func NewParser(limits Limits) *Parser {
	if limits.DocumentBytes <= 0 {
		limits.DocumentBytes = DefaultLimits().DocumentBytes
	}
	if limits.FieldBytes <= 0 {
		limits.FieldBytes = DefaultLimits().FieldBytes
	}
	p := &Parser{limits: limits, refs: newReferences(), names: newInterner()}
	p.fast = fastTokenizer{refs: p.refs, warn: &p.warn}
	p.slow = slowTokenizer{refs: p.refs, warn: &p.warn}
	return p
}

// Parse turns one document into a row. raw may be reused afterwards: no string of the row is part of it.
//
// cutFrom is 0, or the full length of a document of which raw is only the beginning; then the end of input closes the
// open elements and the row is Truncated. So it is for a raw longer than Limits.DocumentBytes. Source stays zero.
//
// The error is a *Rejection.
func (p *Parser) Parse(raw []byte, cutFrom int64) (*schemas.Document, error) {
	row, rejection := p.parse(raw, cutFrom)
	if rejection != nil {
		return nil, rejection
	}
	return row, nil
}

func (p *Parser) parse(raw []byte, cutFrom int64) (*schemas.Document, *Rejection) {
	p.warn.reset()
	if int64(len(raw)) > p.limits.DocumentBytes {
		cutFrom = max(cutFrom, int64(len(raw)))
		raw = raw[:p.limits.DocumentBytes]
	}
	cut := cutFrom > 0
	if cut && utf16Of(raw) == nil {
		raw = wholeCharacters(raw)
	}
	doc, rejection := decode(raw, &p.warn)
	if rejection != nil {
		return nil, rejection
	}
	if cut {
		doc = doc[:completePrefix(doc)]
		p.warn.add("document of %d bytes cut after %d", cutFrom, len(raw))
	}
	pro, rejection := readProlog(doc)
	if rejection != nil {
		return nil, rejection
	}
	of := dialects[string(localName(pro.root))]
	if of == nil {
		return nil, rejectAt(ReasonUnsupportedRoot, "unsupported root "+brief(string(pro.root)), doc, pro.body)
	}
	if rejection := p.read(doc, pro, cut, of); rejection != nil {
		return nil, rejection
	}
	row, rejection := p.row(doc)
	if rejection != nil {
		return nil, rejection
	}
	row.Truncated = row.Truncated || cut
	row.Warnings = p.warn.list()
	return row, nil
}

// read fills the draft: by the fast tokenizer or, where that has doubts, from the start again by the slow one.
func (p *Parser) read(doc []byte, pro prolog, cut bool, of *dialect) *Rejection {
	warn := p.warn
	p.refs.reset(pro.entities)
	p.draft.reset()
	r := p.newReader(of, pro)
	if p.slowOnly || !p.fast.run(doc[pro.body:], cut, r) {
		p.warn = warn
		p.warn.unknownNames = nil
		p.refs.reset(pro.entities)
		p.draft.reset()
		r = p.newReader(of, pro)
		if rejection := p.slow.run(doc, pro.body, cut, r); rejection != nil {
			return rejection
		}
	}
	r.done()
	return nil
}
