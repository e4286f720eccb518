package patentxml

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// Caps on the entities that a document's own DTD declares. With values this short and without nesting a document can
// grow by no more than maxExpansionBytes.
const (
	maxEntities       = 1000
	maxEntityBytes    = 1024
	maxExpansionBytes = 1 << 20
)

// references resolves the character and entity references of one document. A name is looked for among XML's five, the
// DTD's own, the names of HTML5 (a superset of the ISO sets of the patent DTDs) and ISO's Greek letters.
type references struct {
	declared map[string]string // of the internal DTD subset
	known    map[string]string // names met so far and their text; kept over documents
	expanded int               // bytes that declared entities have put into the document
}

func newReferences() *references { return &references{known: make(map[string]string)} }

func (r *references) reset(declared map[string]string) {
	r.declared = declared
	r.expanded = 0
}

// verdict is what became of a reference.
type verdict uint8

const (
	resolved  verdict = iota
	malformed         // no reference at all: a raw &
	unknown           // a name nobody knows
	forbidden         // a character that XML forbids
	tooMuch           // declared entities exceeded maxExpansionBytes
)

const (
	unknownText   = "\ufffd"
	forbiddenText = " "
)

// resolve reads the reference at the beginning of b, which starts with '&': its text and its length in b.
func (r *references) resolve(b []byte) (text string, length int, v verdict) {
	if len(b) > maxReferenceBytes {
		b = b[:maxReferenceBytes]
	}
	end := bytes.IndexByte(b, ';')
	if end < 2 {
		return "", 0, malformed
	}
	name, length := b[1:end], end+1
	if name[0] == '#' {
		c, ok := characterNumber(name[1:])
		switch {
		case !ok:
			return "", 0, malformed
		case !isXMLChar(c):
			return forbiddenText, length, forbidden
		}
		return string(c), length, resolved
	}
	if nameClass[name[0]] != 1 || nameEnd(name) != len(name) || bytes.IndexByte(name, ':') >= 0 || !isASCII(name) {
		return "", 0, malformed
	}
	switch string(name) {
	case "amp":
		return "&", length, resolved
	case "lt":
		return "<", length, resolved
	case "gt":
		return ">", length, resolved
	case "quot":
		return `"`, length, resolved
	case "apos":
		return "'", length, resolved
	}
	if text, ok := r.declared[string(name)]; ok {
		if r.expanded += len(text); r.expanded > maxExpansionBytes {
			return "", length, tooMuch
		}
		return text, length, resolved
	}
	if text, ok := r.named(name); ok {
		return text, length, resolved
	}
	return unknownText, length, unknown
}

// named looks name up among the public names.
func (r *references) named(name []byte) (string, bool) {
	if text, ok := r.known[string(name)]; ok {
		return text, text != ""
	}
	text := isoGreek[string(name)]
	if text == "" {
		text = html5Text(string(name))
	}
	if len(r.known) > 4096 { // names come from documents: unknown ones must not fill the memory
		clear(r.known)
	}
	r.known[string(name)] = text
	return text, text != ""
}

// html5Text returns the text of an HTML5 entity, "" for another name. The html package also reads the beginning of a
// name (&notx; as ¬x;), which leaves the semicolon in place.
func html5Text(name string) string {
	text := html.UnescapeString("&" + name + ";")
	if strings.HasSuffix(text, ";") && name != "semi" {
		return ""
	}
	return text
}

// characterNumber reads 945 or x3b1. Numbers beyond Unicode come back as a character that XML forbids.
func characterNumber(digits []byte) (rune, bool) {
	base := rune(10)
	if len(digits) > 0 && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	var n rune
	for _, c := range digits {
		var d rune
		switch {
		case c >= '0' && c <= '9':
			d = rune(c - '0')
		case base == 16 && c|0x20 >= 'a' && c|0x20 <= 'f':
			d = rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
		n = min(n*base+d, utf8.MaxRune+1)
	}
	return n, true
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isoGreek is ISO 8879's "Greek Letters" (isogrk1), which HTML5 leaves out.
var isoGreek = func() map[string]string {
	lower := []string{"agr", "bgr", "ggr", "dgr", "egr", "zgr", "eegr", "thgr", "igr", "kgr", "lgr", "mgr", "ngr", "xgr",
		"ogr", "pgr", "rgr", "sfgr", "sgr", "tgr", "ugr", "phgr", "khgr", "psgr", "ohgr"}
	greek := make(map[string]string, 2*len(lower))
	for i, name := range lower {
		letter := rune('α' + i)
		greek[name] = string(letter)
		if name == "sfgr" { // the final sigma has no capital
			continue
		}
		capital := strings.ToUpper(name[:1]) + name[1:]
		switch name {
		case "eegr", "thgr", "phgr", "khgr", "psgr", "ohgr":
			capital = strings.ToUpper(name[:2]) + name[2:]
		}
		greek[capital] = string(letter - 'α' + 'Α')
	}
	return greek
}()
