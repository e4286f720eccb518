package patentxml

import "bytes"

// maxTagBytes bounds a tag and a DOCTYPE. What is longer is not one: a quotation mark is missing somewhere.
const maxTagBytes = 1 << 20

var (
	xmlDeclaration = []byte("<?xml")
	commentStart   = []byte("<!--")
	commentEnd     = []byte("-->")
	cdataStart     = []byte("<![CDATA[")
	cdataEnd       = []byte("]]>")
	piStart        = []byte("<?")
	piEnd          = []byte("?>")
	doctypeStart   = []byte("<!DOCTYPE")
)

// nameClass tells the bytes of an ASCII XML name: 1 may stand anywhere, 2 not first.
var nameClass = func() (t [256]byte) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = 1, 1
	}
	t['_'] = 1
	for c := '0'; c <= '9'; c++ {
		t[c] = 2
	}
	t['-'], t['.'], t[':'] = 2, 2, 2
	return t
}()

func isNameStart(c byte) bool { return nameClass[c] == 1 || c >= 0x80 }

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// nameEnd returns the length of the name at the beginning of b; bytes above ASCII count as name bytes.
func nameEnd(b []byte) int {
	for i, c := range b {
		if nameClass[c] == 0 && c < 0x80 {
			return i
		}
	}
	return len(b)
}

// localName is the part of a name after its prefix.
func localName(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i > 0 && i < len(name)-1 {
		return name[i+1:]
	}
	return name
}

// isDeclaration tells whether b begins with an XML declaration, not with <?xml-stylesheet.
func isDeclaration(b []byte) bool {
	return len(b) > len(xmlDeclaration) && bytes.HasPrefix(b, xmlDeclaration) && isSpace(b[len(xmlDeclaration)])
}

// tagEnd returns the length of the tag at the beginning of b; a '>' between quotation marks doesn't end it. It
// returns -1 when b ends first.
func tagEnd(b []byte) int {
	var quote byte
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1
		case c == '"' || c == '\'':
			quote = c
		}
	}
	return -1
}

// doctypeEnd returns the length of the <!DOCTYPE ...> at the beginning of b with its internal subset, -1 when b ends
// first. Quoted literals, comments and processing instructions may hold any of []<>.
func doctypeEnd(b []byte) int {
	subset := false
	for i := len(doctypeStart); i < len(b); i++ {
		switch b[i] {
		case '"', '\'':
			n := bytes.IndexByte(b[i+1:], b[i])
			if n < 0 {
				return -1
			}
			i += n + 1
		case '[':
			subset = true
		case ']':
			subset = false
		case '<':
			end := commentEnd
			switch {
			case bytes.HasPrefix(b[i:], commentStart):
			case bytes.HasPrefix(b[i:], piStart):
				end = piEnd
			default:
				continue
			}
			n := bytes.Index(b[i:], end)
			if n < 0 {
				return -1
			}
			i += n + len(end) - 1
		case '>':
			if !subset {
				return i + 1
			}
		}
	}
	return -1
}

// markupEnd returns the length of the tag, comment, CDATA section, processing instruction or DOCTYPE at the beginning
// of b, which starts with '<'. It returns -1 when b ends first.
func markupEnd(b []byte) int {
	within := func(start, end []byte) int {
		if n := bytes.Index(b[len(start):], end); n >= 0 {
			return len(start) + n + len(end)
		}
		return -1
	}
	switch {
	case bytes.HasPrefix(b, commentStart):
		return within(commentStart, commentEnd)
	case bytes.HasPrefix(b, cdataStart):
		return within(cdataStart, cdataEnd)
	case bytes.HasPrefix(b, piStart):
		return within(piStart, piEnd)
	case bytes.HasPrefix(b, doctypeStart):
		return doctypeEnd(b)
	}
	return tagEnd(b)
}
