package patentxml

import (
	"bytes"

	"dssdnet/schemas"
)

// headBytes of a document are searched for its number where the root's start tag doesn't tell it: first the fewer, which
// mostly do, because all dialects have it at the front.
var headBytes = [...]int{1 << 10, 16 << 10}

// identify returns the canonical patent id of the document that begins, with the start tag of a root element, at b. It
// is the one that Parse would put into the row, unless the document contradicts itself. "": none was found.
func (c *Cutter) identify(root string, b []byte) string {
	n := tagEnd(b)
	if n < 0 {
		return ""
	}
	if _, _, ok := c.tags.tag(b[:n]); !ok {
		return ""
	}
	if id, err := schemas.ParseUCID(string(clean(c.tags.attrs.get("ucid")))); err == nil {
		return id.PatentID()
	}
	of := dialects[string(localName([]byte(root)))]
	if of == nil {
		return ""
	}
	if c.heads == nil {
		c.heads = NewParser(Limits{})
	}
	if id := c.heads.patentID(of, b[:n]); id != "" {
		return id
	}
	for _, n := range headBytes {
		head := b[:min(len(b), n)]
		head = head[:bytes.LastIndexByte(head[:completePrefix(head)], '>')+1] // a number that goes on is none
		if id := c.heads.patentID(of, head); id != "" {
			return id
		}
	}
	return ""
}

// patentID reads the id out of the beginning of a document, as far as the fast tokenizer gets.
func (p *Parser) patentID(of *dialect, head []byte) string {
	p.warn.reset()
	p.refs.reset(nil)
	p.draft.reset()
	r := p.newReader(of, prolog{})
	p.fast.run(head, true, r)
	r.done()
	_, id, ok := p.draft.identity()
	if !ok {
		return ""
	}
	return id.PatentID()
}
