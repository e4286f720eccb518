package patentxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// slowTokenizer reads documents with encoding/xml, strictly. It is the judge of well-formedness: what it refuses is
// rejected. Only its input is repaired before: comments that hold --, references to forbidden characters.
type slowTokenizer struct {
	refs *references
	warn *warnings
}

// run sends the events of doc[from:], a document from its root's start tag on, to h. cut says that the end of doc closes
// open elements.
func (t *slowTokenizer) run(doc []byte, from int, cut bool, h events) *Rejection {
	body, entities, rejection := t.repair(doc, from)
	if rejection != nil {
		return rejection
	}
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.Entity = entities
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // decoded long ago
	var open []string
	rootSeen := false
	at := from
	reject := func(reason, format string, args ...any) *Rejection {
		return rejectAt(reason, fmt.Sprintf(format, args...), doc, at)
	}
	for {
		at = from + int(dec.InputOffset())
		token, err := dec.RawToken()
		if err != nil {
			at = from + int(dec.InputOffset())
			if !errors.Is(err, io.EOF) {
				return t.syntax(err, open, reject)
			}
			switch {
			case len(open) == 0:
				return nil
			case !cut:
				return reject(ReasonTruncated, "the document ends inside %s", elementPath(open))
			}
			for range open {
				h.end()
			}
			return nil
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := fullName(token.Name)
			if len(open) == 0 && rootSeen {
				return reject(ReasonNotWellFormed, "a second root element <%s>", brief(name))
			}
			rootSeen = true
			attrs := make(attributes, len(token.Attr))
			for i, a := range token.Attr {
				attrs[i] = attribute{[]byte(fullName(a.Name)), []byte(a.Value)}
			}
			open = append(open, name)
			h.start([]byte(token.Name.Local), attrs)
		case xml.EndElement:
			name := fullName(token.Name)
			if len(open) == 0 {
				return reject(ReasonNotWellFormed, "</%s> closes an element that is not open", brief(name))
			}
			if top := open[len(open)-1]; top != name {
				return reject(ReasonNotWellFormed, "</%s> closes <%s>", brief(name), brief(top))
			}
			open = open[:len(open)-1]
			h.end()
		case xml.CharData:
			if len(open) > 0 {
				h.text(token)
			} else if !isBlank(token) {
				return reject(ReasonNotWellFormed, "text after the root element")
			}
		case xml.ProcInst:
			if token.Target == "xml" {
				return reject(ReasonNotWellFormed, "an XML declaration inside the document")
			}
		case xml.Directive:
			return reject(ReasonNotWellFormed, "a <! declaration after the root element's start")
		}
	}
}

// syntax words an error of encoding/xml.
func (t *slowTokenizer) syntax(err error, open []string, reject func(reason, format string, args ...any) *Rejection) *Rejection {
	msg := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		msg = syntax.Msg
	}
	if msg == "unexpected EOF" {
		return reject(ReasonTruncated, "the document ends inside markup in %s", elementPath(open))
	}
	return reject(ReasonNotWellFormed, "not well-formed XML: %.200s", msg)
}

// repair returns a copy of doc[from:] of the same length in which encoding/xml finds no fault that is forgiven here, and
// the text of every entity that is referred to. It counts what was unknown or forbidden.
func (t *slowTokenizer) repair(doc []byte, from int) ([]byte, map[string]string, *Rejection) {
	body := bytes.Clone(doc[from:])
	entities := make(map[string]string)
	for pos := 0; pos < len(body); {
		i := bytes.IndexAny(body[pos:], "<&")
		if i < 0 {
			break
		}
		pos += i
		if body[pos] == '<' {
			pos += skipMarkup(body[pos:])
			continue
		}
		text, n, v := t.refs.resolve(body[pos:])
		switch v {
		case malformed:
			pos++ // encoding/xml says what is wrong
			continue
		case tooMuch:
			return nil, nil, rejectAt(ReasonEntityExpansion,
				fmt.Sprintf("the entities of the DTD expand to more than %d bytes", maxExpansionBytes), doc, from+pos)
		case unknown:
			t.warn.unknownEntity(string(body[pos : pos+n]))
		case forbidden:
			t.warn.controls++
			copy(body[pos:], "&#"+strings.Repeat("0", n-4)+"9;")
		}
		if body[pos+1] != '#' {
			entities[string(body[pos+1:pos+n-1])] = text
		}
		pos += n
	}
	return body, entities, nil
}

// skipMarkup returns the length of what begins with '<' and holds no references, at least 1; it blanks the inside of a
// comment, where XML forbids -- and patent offices don't.
func skipMarkup(b []byte) int {
	if !bytes.HasPrefix(b, commentStart) && !bytes.HasPrefix(b, cdataStart) && !bytes.HasPrefix(b, piStart) {
		return 1
	}
	n := markupEnd(b)
	if n < 0 {
		return len(b)
	}
	if b[1] == '!' && b[2] == '-' {
		for i := len(commentStart); i < n-len(commentEnd); i++ {
			if b[i] == '-' {
				b[i] = ' '
			}
		}
	}
	return n
}

func fullName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
