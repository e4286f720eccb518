package patentxml

import "bytes"

// blockText builds the text of one block: a title, an abstract, a description, a set of claims. It turns elements into
// boundaries the way the section wants them:
//
//   - title, abstract: one line.
//   - description: one line for each paragraph and heading; table rows and list items stay in the line of their paragraph.
//   - claims: one line for each claim; an introduction ("We claim:") stands at the front of the first.
type blockText struct {
	section section
	words   textBuilder
	open    []boundary // of the open elements inside the block
	claims  int        // claim elements so far
	// starts are the places in words where an element of the first claim begins or ends: there a new claim may begin
	// in a file that has all claims in one element.
	starts []int
}

func (b *blockText) begin(kind section, limit int64) {
	b.section = kind
	b.words.reset(limit)
	b.open = b.open[:0]
	b.claims = 0
	b.starts = b.starts[:0]
}

// start opens an element inside the block. It returns false when the element has no text of the patent.
func (b *blockText) start(name []byte) bool {
	kind := boundaryOf(name)
	if kind == dropped {
		return false
	}
	if b.section == claims {
		kind = min(kind, block)
		if string(name) == "claim" {
			b.claims++
			if b.claims > 1 {
				kind = line
			}
		}
	}
	b.open = append(b.open, kind)
	b.bound(kind)
	return true
}

func (b *blockText) end() {
	kind := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.bound(kind)
}

func (b *blockText) bound(kind boundary) {
	switch {
	case kind == inline:
		return
	case kind == block || b.section == title:
		b.words.space()
	default:
		b.words.line()
	}
	if n := len(b.words.buf); b.section == claims && b.claims <= 1 && (len(b.starts) == 0 || b.starts[len(b.starts)-1] != n) {
		b.starts = append(b.starts, n)
	}
}

// finish returns the text and whether the cap cut it.
func (b *blockText) finish() (text string, cut bool) {
	words := b.words.buf
	switch b.section {
	case abstract:
		words = withoutBoilerplate(words)
		for i := bytes.IndexByte(words, '\n'); i >= 0; i = bytes.IndexByte(words, '\n') {
			words[i] = ' '
		}
	case claims:
		if b.claims == 1 {
			splitClaims(words, b.starts)
		}
	}
	return string(words), b.words.full
}
