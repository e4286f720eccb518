package patentxml

import (
	"bytes"

	"github.com/orisano/gosax"
)

// fastTokenizer reads documents with gosax, which is several times faster than encoding/xml but checks nothing. What it
// accepts it has checked itself, and more strictly than XML asks; at the first doubt it gives up, and the slow tokenizer
// decides. A document that both accept gives the same events.
type fastTokenizer struct {
	in      bytes.Reader
	sax     *gosax.Reader
	bufSize int
	refs    *references
	warn    *warnings
	open    []span // names of the open elements
	attrs   attributes
	char    []byte // text of the last reference
}

// span is a part of the document: gosax's own slices move with its buffer.
type span struct{ from, to int }

// gosaxSlack keeps gosax from moving its buffer at the end of the input: it wants room for another read.
const gosaxSlack = 4096

// run sends the events of body, a document from its root's start tag on, to h. It returns false when it gave up, and h
// has then seen only a part. cut says that the end of body closes open elements.
func (t *fastTokenizer) run(body []byte, cut bool, h events) bool {
	t.in.Reset(body)
	if need := len(body) + gosaxSlack; t.sax == nil || t.bufSize < need {
		t.bufSize = need + need/4
		t.sax = gosax.NewReaderBuf(&t.in, make([]byte, 0, t.bufSize))
	} else {
		t.sax.Reset(&t.in)
	}
	t.open = t.open[:0]
	checkCDEnd := bytes.Contains(body, cdataEnd)
	rootSeen := false
	pos := 0
	for {
		ev, err := t.sax.Event()
		if err != nil {
			return false
		}
		b := ev.Bytes
		switch ev.Type() {
		case gosax.EventText:
			if len(t.open) == 0 {
				if !isBlank(b) {
					return false
				}
			} else if checkCDEnd && bytes.Contains(b, cdataEnd) || !t.text(b, h) {
				return false
			}
		case gosax.EventStart:
			if len(t.open) == 0 && rootSeen {
				return false
			}
			rootSeen = true
			n, selfClosing, ok := t.tag(b)
			if !ok {
				return false
			}
			h.start(localName(b[1:n]), t.attrs)
			if selfClosing {
				h.end()
			} else {
				t.open = append(t.open, span{pos + 1, pos + n})
			}
		case gosax.EventEnd:
			if len(t.open) == 0 {
				return false
			}
			top := t.open[len(t.open)-1]
			if !isEndTag(b, body[top.from:top.to]) {
				return false
			}
			t.open = t.open[:len(t.open)-1]
			h.end()
		case gosax.EventCData:
			if len(t.open) == 0 || !bytes.HasPrefix(b, cdataStart) {
				return false
			}
			h.text(b[len(cdataStart) : len(b)-len(cdataEnd)])
		case gosax.EventComment:
			if !bytes.HasPrefix(b, commentStart) || len(b) < len(commentStart)+len(commentEnd) {
				return false
			}
		case gosax.EventProcessingInstruction:
			target := b[2 : 2+nameEnd(b[2:])]
			if len(target) == 0 || nameClass[target[0]] != 1 || !isASCII(target) || string(target) == "xml" {
				return false
			}
		case gosax.EventEOF:
			if len(t.open) == 0 {
				return rootSeen
			}
			if !cut {
				return false
			}
			for range t.open {
				h.end()
			}
			return true
		default: // a declaration outside the prolog
			return false
		}
		pos += len(b)
	}
}

// text sends b with its references resolved.
func (t *fastTokenizer) text(b []byte, h events) bool {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			if len(b) > 0 {
				h.text(b)
			}
			return true
		}
		if i > 0 {
			h.text(b[:i])
		}
		text, n, ok := t.resolve(b[i:])
		if !ok {
			return false
		}
		h.text(text)
		b = b[i+n:]
	}
}

// resolve reads a reference and counts what it could not resolve. text is valid until the next call.
func (t *fastTokenizer) resolve(b []byte) (text []byte, length int, ok bool) {
	s, n, v := t.refs.resolve(b)
	switch v {
	case malformed, tooMuch:
		return nil, 0, false
	case unknown:
		t.warn.unknownEntity(string(b[:n]))
	case forbidden:
		t.warn.controls++
	}
	t.char = append(t.char[:0], s...)
	return t.char, n, true
}

// tag checks a start tag and reads its attributes. n is the end of the name in b.
func (t *fastTokenizer) tag(b []byte) (n int, selfClosing, ok bool) {
	t.attrs = t.attrs[:0]
	n, ok = tagName(b, 1)
	if !ok {
		return 0, false, false
	}
	i := n
	for {
		space := i
		for isSpace(b[i]) { // ends at the latest at the '>' of the tag
			i++
		}
		switch {
		case b[i] == '>':
			return n, false, i == len(b)-1
		case b[i] == '/':
			return n, true, i == len(b)-2
		case i == space:
			return 0, false, false
		}
		nameAt := i
		if i, ok = tagName(b, i); !ok || b[i] != '=' {
			return 0, false, false
		}
		name := b[nameAt:i]
		quote := b[i+1]
		if quote != '"' && quote != '\'' {
			return 0, false, false
		}
		i += 2
		length := bytes.IndexByte(b[i:], quote)
		if length < 0 {
			return 0, false, false
		}
		value, ok := t.value(b[i : i+length])
		if !ok {
			return 0, false, false
		}
		t.attrs = append(t.attrs, attribute{name, value})
		i += length + 1
	}
}

// value resolves the references of an attribute's value.
func (t *fastTokenizer) value(b []byte) ([]byte, bool) {
	if bytes.IndexByte(b, '<') >= 0 {
		return nil, false
	}
	i := bytes.IndexByte(b, '&')
	if i < 0 {
		return b, true
	}
	var value []byte
	for ; i >= 0; i = bytes.IndexByte(b, '&') {
		text, n, ok := t.resolve(b[i:])
		if !ok {
			return nil, false
		}
		value = append(append(value, b[:i]...), text...)
		b = b[i+n:]
	}
	return append(value, b...), true
}

// tagName returns the end of the name at b[i:]: plain ASCII, with at most one colon between two parts.
func tagName(b []byte, i int) (int, bool) {
	if nameClass[b[i]] != 1 {
		return 0, false
	}
	colon := false
	for ; nameClass[b[i]] != 0; i++ {
		if b[i] == ':' {
			if colon || nameClass[b[i+1]] != 1 {
				return 0, false
			}
			colon = true
		}
	}
	return i, true
}

func isEndTag(b, name []byte) bool {
	rest, ok := bytes.CutPrefix(b[2:], name)
	if !ok {
		return false
	}
	for len(rest) > 1 && isSpace(rest[0]) {
		rest = rest[1:]
	}
	return len(rest) == 1
}

func isBlank(b []byte) bool {
	for _, c := range b {
		if !isSpace(c) {
			return false
		}
	}
	return true
}
