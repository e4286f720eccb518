package patentxml

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Reasons of a Rejection.
const (
	ReasonNoRoot          = "no-root"          // no element at all: an empty file, plain text, a header without a body
	ReasonUnsupportedRoot = "unsupported-root" // an XML dialect that has no reader here
	ReasonEncoding        = "encoding"         // the declared encoding is unknown and the bytes are no UTF-8
	ReasonTruncated       = "truncated"        // the document ends before its root is closed
	ReasonNotWellFormed   = "not-well-formed"  // raw < or &, crossed tags, text outside the root ...
	ReasonEntityExpansion = "entity-expansion" // the DTD's own entities would blow the document up
	ReasonNoUCID          = "no-ucid"          // nothing in the document names it
)

// Rejection says why a document gives no row. It is the error of Parse.
type Rejection struct {
	Reason  string // one of the Reason constants
	Message string // one sentence that is understood without the document
	Line    int    // line of the place, from 1; 0 when the reason has no place
	Offset  int64  // byte of the place, from 0, in the document's UTF-8 form without a byte order mark
	Excerpt string // the text around the place, valid UTF-8, at most excerptBytes
}

const excerptBytes = 160

func (r *Rejection) Error() string {
	if r.Line == 0 {
		return r.Message
	}
	return fmt.Sprintf("%s (line %d, byte %d)", r.Message, r.Line, r.Offset)
}

// rejectAt fills in the place of a rejection; doc is the decoded document.
func rejectAt(reason, message string, doc []byte, offset int) *Rejection {
	offset = min(max(offset, 0), len(doc))
	return &Rejection{
		Reason:  reason,
		Message: message,
		Line:    1 + bytes.Count(doc[:offset], []byte{'\n'}),
		Offset:  int64(offset),
		Excerpt: excerpt(doc, offset),
	}
}

// brief is a name from a document as it stands in a message.
func brief(name string) string {
	const most = 60
	if len(name) <= most {
		return name
	}
	return string(wholeCharacters([]byte(name[:most]))) + "..."
}

// elementPath is the open elements as they stand in a message: <a><b>, of many the first and the last.
func elementPath(open []string) string {
	const most = 6
	var b strings.Builder
	for i, name := range open {
		switch {
		case i < most/2, i >= len(open)-most/2:
			b.WriteString("<" + brief(name) + ">")
		case i == most/2:
			b.WriteString("...")
		}
	}
	return b.String()
}

func excerpt(doc []byte, offset int) string {
	from := max(offset-excerptBytes/2, 0)
	to := min(from+excerptBytes, len(doc))
	for from < to && !utf8.RuneStart(doc[from]) {
		from++
	}
	for to > from && to < len(doc) && !utf8.RuneStart(doc[to]) {
		to--
	}
	return strings.ToValidUTF8(string(doc[from:to]), "")
}
