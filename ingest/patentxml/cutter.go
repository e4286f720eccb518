package patentxml

import (
	"errors"
	"io"
)

// Piece is one document of a stream.
type Piece struct {
	Root       string // name of the root element as written; "" when there is no element: the piece is junk
	PatentID   string // canonical id from the root's start tag or, where it tells none, from what follows; "": none found
	Bytes      []byte // valid until the next call of Next
	Start, End int64  // of the whole document in the stream
	Cut        bool   // Bytes is only the beginning of the document, and its open elements may be closed at the end
}

// Cutter cuts a stream into documents.
//
// A document begins at an XML declaration, a DOCTYPE or an element after the root of the one before was closed. It also
// begins at a declaration, a DOCTYPE or one of documentRoots before that: a document that was never closed doesn't
// swallow its neighbours. None of these count inside comments, CDATA sections, processing instructions and tags.
// Comments and processing instructions behind a root belong to the document that ended. Text between documents is a
// piece without a root. Every byte of the stream is in one piece, but white space between pieces. UTF-16 is not cut: the
// stream is one document.
//
// It holds at most maxDocument bytes and a buffer, whatever the stream: of longer documents it keeps the beginning and
// counts the rest. It looks only at the first bytes after each '<', and reads the beginning of documents whose root
// doesn't tell their id.
type Cutter struct {
	in      io.Reader
	max     int
	readErr error

	buf  []byte // window of the stream; buf[0] is the byte at base
	base int64
	pos  int // scanned so far, in buf

	started           bool  // a piece has begun
	start             int64 // its first byte in the stream
	end               int64 // after its last byte, as far as it is known
	state             scanState
	until             []byte // what ends the comment, CDATA section or tag that pos is in; nil: in none
	declared, doctype bool   // the prolog has an XML declaration, a DOCTYPE
	root              []byte // name of the root
	lead, leadMask    uint16 // its first two bytes; the mask leaves out what it doesn't have
	rootAt            int64  // its start tag, in the stream
	depth             int    // open elements with the root's name
	utf16             bool

	kept    []byte // the beginning of a piece that outgrew max; nil: the piece is in buf
	spare   []byte // buffer for the rest of such a piece
	emitted bool   // the piece was handed out: the next call begins another

	tags  fastTokenizer // reads the root's attributes
	heads *Parser       // reads ids that the root doesn't tell; nil until it is needed
}

// scanState is where in a document the cutter is.
type scanState uint8

const (
	inProlog scanState = iota // before the root
	inRoot
	afterRoot
	inJunk // text without a root
)

// The buffer begins small, because most streams are one file of one document, and soon has room for long reads.
const (
	firstBytes = 32 << 10
	readBytes  = 256 << 10
	leastRead  = 4 << 10
)

// NewCutter returns a cutter of r. A document longer than maxDocument bytes, at least 1, comes cut.
func NewCutter(r io.Reader, maxDocument int64) *Cutter {
	return &Cutter{
		in:   r,
		max:  int(max(maxDocument, 1)),
		tags: fastTokenizer{refs: newReferences(), warn: &warnings{}},
	}
}

// Reset makes the cutter start over with another stream. Its buffers stay.
func (c *Cutter) Reset(r io.Reader) {
	*c = Cutter{in: r, max: c.max, buf: c.buf[:0], root: c.root[:0], spare: c.spare[:0], tags: c.tags, heads: c.heads}
}

// Next returns the next document. The error is io.EOF at the end of the stream and otherwise the reader's; a document
// that the reader failed in is not returned.
func (c *Cutter) Next() (Piece, error) {
	if c.emitted {
		c.forget()
	}
	for !c.scan() {
		if c.readErr == nil {
			c.fill()
			continue
		}
		whole := c.state == afterRoot && c.until == nil
		if !c.started || !whole && !errors.Is(c.readErr, io.EOF) {
			return Piece{}, c.readErr
		}
		c.pos = len(c.buf)
		if !whole {
			c.end = c.base + int64(c.pos)
		}
		break
	}
	return c.piece(), nil
}

// forget makes room for the next piece.
func (c *Cutter) forget() {
	if c.kept != nil { // the larger buffer is the one to go on with
		rest := c.buf[c.pos:]
		c.base += int64(c.pos)
		c.buf, c.spare = moved(rest, c.kept), c.buf
		c.pos, c.kept = 0, nil
	}
	c.emitted, c.started = false, false
	c.state, c.until = inProlog, nil
	c.declared, c.doctype = false, false
	c.root, c.depth = c.root[:0], 0
}

// fill reads on. It drops what no piece needs and, once the piece has outgrown max, all but its beginning.
func (c *Cutter) fill() {
	if c.started && c.kept == nil && c.base+int64(len(c.buf))-c.start > int64(c.max)+maxTagBytes {
		rest := c.buf[c.pos:]
		from := int(c.start - c.base)
		c.kept = c.buf[from : from+c.max]
		c.buf = moved(rest, c.spare)
		c.base += int64(c.pos)
		c.pos, c.spare = 0, nil
	}
	if cap(c.buf)-len(c.buf) < leastRead {
		c.makeRoom()
	}
	n, err := io.ReadAtLeast(c.in, c.buf[len(c.buf):cap(c.buf)], 1)
	c.buf = c.buf[:len(c.buf)+n]
	c.readErr = err
}

func (c *Cutter) makeRoom() {
	drop := c.pos
	if c.started && c.kept == nil {
		drop = int(c.start - c.base)
	}
	left, into := c.buf[drop:], c.buf
	if size := cap(c.buf); size < readBytes || len(left) > size/2 {
		most := c.max + maxTagBytes + 2*readBytes // what is longer is kept apart
		into = make([]byte, 0, max(firstBytes, min(2*size, most), len(left)+leastRead))
	}
	c.buf = moved(left, into)
	c.base += int64(drop)
	c.pos -= drop
}

// moved copies b to the front of another buffer, or of the one it lies in.
func moved(b, into []byte) []byte { return append(into[:0], b...) }

// piece hands out what was scanned.
func (c *Cutter) piece() Piece {
	c.emitted = true
	p := Piece{Start: c.start, End: c.end}
	if c.kept != nil {
		p.Bytes = c.kept
	} else {
		p.Bytes = c.buf[c.start-c.base : c.end-c.base]
	}
	if c.utf16 {
		p.Root, p.PatentID = c.identifyUTF16(p.Bytes)
	} else if len(c.root) > 0 {
		p.Root = string(c.root)
		p.PatentID = c.identify(p.Root, p.Bytes[min(c.rootAt-c.start, int64(len(p.Bytes))):])
	}
	if p.End-p.Start > int64(c.max) {
		p.Cut = true
		p.Bytes = p.Bytes[:min(len(p.Bytes), c.max)]
		if c.utf16 {
			p.Bytes = p.Bytes[:len(p.Bytes)&^1]
		} else {
			p.Bytes = p.Bytes[:completePrefix(p.Bytes)]
		}
	}
	return p
}

// identifyUTF16 reads the root of a document in UTF-16 from its beginning.
func (c *Cutter) identifyUTF16(raw []byte) (root, patentID string) {
	head, err := utf16Of(raw).NewDecoder().Bytes(raw[:min(len(raw), 64<<10)&^1])
	if err != nil {
		return "", ""
	}
	pro, rejection := readProlog(head)
	if rejection != nil {
		return "", ""
	}
	return string(pro.root), c.identify(string(pro.root), head[pro.body:])
}
