package patentxml

import (
	"bytes"
	"slices"
)

// maxNameBytes bounds an element's name. A longer one is text with a raw '<' in front.
const maxNameBytes = 256

// step is what the cutter does after a look at the next bytes.
type step uint8

const (
	onward  step = iota
	wait         // more bytes are needed to tell
	cutHere      // pos is a boundary
)

// scan moves pos on to the next boundary between two pieces and returns true there. It returns false when it needs more
// of the stream; once readErr is set there is no more, and what is left is the last piece.
func (c *Cutter) scan() bool {
	if c.isUTF16() {
		c.pos = len(c.buf)
		return false
	}
	for {
		if c.until != nil && !c.skip() {
			return false
		}
		c.pos += c.dull(c.buf[c.pos:])
		b := c.buf[c.pos:]
		if len(b) == 0 || len(b) < maxNameBytes+4 && c.readErr == nil {
			return false
		}
		if !c.started {
			c.started = true
			c.start = c.base + int64(c.pos)
		}
		switch c.look(b) {
		case wait:
			return false
		case cutHere:
			c.bound()
			return true
		}
	}
}

// dull returns how many bytes at the beginning of b cannot matter: white space outside a root, everything up to the next
// '<' in junk, and in a root everything up to a '<' that may begin or end a document or hide such a one.
func (c *Cutter) dull(b []byte) int {
	n := 0
	switch c.state {
	case inProlog, afterRoot:
		for n < len(b) && isSpace(b[n]) {
			n++
		}
		return n
	case inJunk:
		if n = bytes.IndexByte(b, '<'); n < 0 {
			n = len(b)
		}
		return n
	}
	for {
		i := bytes.IndexByte(b[n:], '<')
		if i < 0 {
			return len(b)
		}
		n += i
		if len(b)-n < 4 {
			return n
		}
		next := b[n+1]
		name := twoBytes(b[n+1:])
		if next == '/' {
			name = twoBytes(b[n+2:])
		}
		if next == '!' || next == '?' || name&c.leadMask == c.lead || next != '/' && slices.Contains(documentLeads, name) {
			return n
		}
		n += 2
	}
}

// twoBytes is the beginning of a name as a number: most names differ from a root's there.
func twoBytes(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }

// documentLeads are the beginnings of documentRoots.
var documentLeads = func() []uint16 {
	var leads []uint16
	for _, name := range documentRoots {
		leads = append(leads, twoBytes([]byte(name)))
	}
	slices.Sort(leads)
	return slices.Compact(leads)
}()

// isUTF16 tells whether the stream is in UTF-16, which its first bytes show.
func (c *Cutter) isUTF16() bool {
	if c.base == 0 && c.pos == 0 && !c.started && utf16Of(c.buf) != nil {
		c.utf16, c.started = true, true
	}
	return c.utf16
}

// bound ends the piece at pos. A byte order mark in front of a declaration belongs to what follows.
func (c *Cutter) bound() {
	if c.state == afterRoot { // end is behind the root and what belongs to it
		return
	}
	at := c.pos - len(bomUTF8)
	if bytes.HasSuffix(c.buf[:c.pos], bomUTF8) && c.base+int64(at) > c.start && isDeclaration(c.buf[c.pos:]) {
		c.pos = at
	}
	c.end = c.base + int64(c.pos)
}

// skip moves pos behind the end of the construct it is in. It returns false when that is not in buf yet.
func (c *Cutter) skip() bool {
	i := bytes.Index(c.buf[c.pos:], c.until)
	if i < 0 {
		c.pos = max(c.pos, len(c.buf)-len(c.until)+1)
		return false
	}
	c.pos += i + len(c.until)
	c.until = nil
	c.end = c.base + int64(c.pos)
	return true
}

// enter moves pos n bytes on, into a construct that ends with until.
func (c *Cutter) enter(n int, until []byte) step {
	c.pos += n
	c.until = until
	return onward
}

// look decides on the bytes at pos: inside a root and in junk they begin with '<'.
func (c *Cutter) look(b []byte) step {
	if b[0] == '<' && len(b) > 1 {
		switch next := b[1]; {
		case next == '/' && c.state == inRoot:
			return c.endTag(b)
		case isNameStart(next):
			return c.startTag(b)
		case next == '!':
			return c.declaration(b)
		case next == '?':
			return c.instruction(b)
		}
	}
	return c.text(b)
}

// text passes over a byte that is no markup.
func (c *Cutter) text(b []byte) step {
	switch {
	case c.state == afterRoot:
		return cutHere
	case c.state == inProlog && c.start == c.base+int64(c.pos) && bytes.HasPrefix(b, bomUTF8):
		c.pos += len(bomUTF8)
		return onward
	case c.state == inProlog:
		c.state = inJunk
	}
	c.pos++
	return onward
}

func (c *Cutter) declaration(b []byte) step {
	switch {
	case bytes.HasPrefix(b, commentStart):
		return c.enter(len(commentStart), commentEnd)
	case bytes.HasPrefix(b, cdataStart) && c.state == inRoot:
		return c.enter(len(cdataStart), cdataEnd)
	case !bytes.HasPrefix(b, doctypeStart):
		return c.text(b)
	case c.state != inProlog || c.doctype:
		return cutHere
	}
	n := doctypeEnd(b)
	if n < 0 {
		if len(b) < maxTagBytes && c.readErr == nil {
			return wait
		}
		return c.text(b)
	}
	c.doctype = true
	c.pos += n
	return onward
}

func (c *Cutter) instruction(b []byte) step {
	switch {
	case isDeclaration(b):
		if c.state != inProlog || c.declared || c.doctype {
			return cutHere
		}
		c.declared = true
	case c.state == inJunk || len(b) < 3 || !isNameStart(b[2]):
		return c.text(b)
	}
	return c.enter(len(piStart), piEnd)
}

func (c *Cutter) startTag(b []byte) step {
	nested := c.state == inRoot
	switch {
	case nested && isDocumentRoot(b[1:]):
		return cutHere
	case nested && !c.isRoot(b[1:]):
		c.pos += 2
		return onward
	}
	name := b[1 : 1+nameEnd(b[1:min(len(b), maxNameBytes+2)])]
	switch {
	case len(name) > maxNameBytes:
		return c.text(b)
	case c.state == afterRoot || c.state == inJunk:
		return cutHere
	}
	n := tagEnd(b)
	if n < 0 {
		if len(b) < maxTagBytes && c.readErr == nil {
			return wait
		}
		n = 1 + len(name)
	}
	if !nested {
		c.state = inRoot
		c.root = append(c.root[:0], name...)
		c.leadMask, c.lead = 0xff, uint16(name[0])
		if len(name) > 1 {
			c.leadMask, c.lead = 0xffff, twoBytes(name)
		}
		c.rootAt = c.base + int64(c.pos)
	}
	c.pos += n
	if b[n-1] == '>' && b[n-2] == '/' {
		c.closeRoot()
	} else {
		c.depth++
	}
	return onward
}

// closeRoot ends the document when no element of the root's name is open.
func (c *Cutter) closeRoot() {
	if c.depth == 0 {
		c.state = afterRoot
		c.end = c.base + int64(c.pos)
	}
}

func (c *Cutter) endTag(b []byte) step {
	if !c.isRoot(b[2:]) {
		c.pos += 2
		return onward
	}
	c.depth--
	c.closeRoot()
	return c.enter(2+len(c.root), []byte{'>'})
}

// isRoot tells whether the name at the beginning of b is the root's.
func (c *Cutter) isRoot(b []byte) bool {
	return len(b) > len(c.root) && bytes.HasPrefix(b, c.root) && endsName(b[len(c.root)])
}

func isDocumentRoot(b []byte) bool {
	for _, name := range documentRoots {
		if len(b) > len(name) && string(b[:len(name)]) == name && endsName(b[len(name)]) {
			return true
		}
	}
	return false
}

func endsName(c byte) bool { return isSpace(c) || c == '>' || c == '/' }
