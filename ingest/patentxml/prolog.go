package patentxml

import (
	"bytes"
	"strings"
)

// prolog is what stands before the root element of a decoded document.
type prolog struct {
	root     []byte            // name of the root as written, with its prefix
	body     int               // where the root's start tag begins
	doctype  bool              // a DOCTYPE was there; what it refers to is never opened
	systemID string            // of the DOCTYPE
	entities map[string]string // text entities that the internal subset declares
}

// readProlog skips XML declarations, comments, processing instructions and the DOCTYPE up to the root element.
func readProlog(doc []byte) (prolog, *Rejection) {
	var p prolog
	pos := 0
	for {
		for pos < len(doc) && isSpace(doc[pos]) {
			pos++
		}
		rest := doc[pos:]
		if len(rest) == 0 {
			return p, rejectAt(ReasonNoRoot, "the document has no element", doc, pos)
		}
		switch {
		case bytes.HasPrefix(rest, bomUTF8): // before a declaration in the middle of a concatenation
			pos += len(bomUTF8)
			continue
		case rest[0] != '<':
			if bytes.IndexByte(rest, '<') < 0 {
				return p, rejectAt(ReasonNoRoot, "the document has no element, only text", doc, pos)
			}
			return p, rejectAt(ReasonNotWellFormed, "text before the root element", doc, pos)
		case len(rest) > 1 && isNameStart(rest[1]):
			p.root = rest[1 : 1+nameEnd(rest[1:])]
			p.body = pos
			return p, nil
		}
		isDoctype := bytes.HasPrefix(rest, doctypeStart)
		if !isDoctype && !bytes.HasPrefix(rest, piStart) && !bytes.HasPrefix(rest, commentStart) {
			return p, rejectAt(ReasonNotWellFormed, "unreadable markup before the root element", doc, pos)
		}
		n := markupEnd(rest)
		if n < 0 {
			return p, rejectAt(ReasonTruncated, "the document ends before its root element", doc, pos)
		}
		if isDoctype {
			p.doctype = true
			p.systemID = systemID(rest[:n])
			p.entities = declaredEntities(rest[:n])
		}
		pos += n
	}
}

// systemID returns the last literal of a DOCTYPE before its internal subset.
func systemID(doctype []byte) string {
	if i := bytes.IndexByte(doctype, '['); i >= 0 {
		doctype = doctype[:i]
	}
	id := ""
	for {
		i := bytes.IndexAny(doctype, `"'`)
		if i < 0 {
			return id
		}
		n := bytes.IndexByte(doctype[i+1:], doctype[i])
		if n < 0 {
			return id
		}
		id = string(doctype[i+1 : i+1+n])
		doctype = doctype[i+n+2:]
	}
}

// declaredEntities reads the <!ENTITY name "text"> declarations of a DOCTYPE. Parameter entities and those that name a
// file or a URL are passed over; so are values with markup or with references to other entities, which would nest.
func declaredEntities(doctype []byte) map[string]string {
	i := bytes.IndexByte(doctype, '[')
	if i < 0 {
		return nil
	}
	entities := make(map[string]string)
	subset := doctype[i+1:]
	for len(entities) < maxEntities {
		i := bytes.IndexByte(subset, '<')
		if i < 0 {
			break
		}
		subset = subset[i:]
		n := markupEnd(subset)
		if n < 0 {
			break
		}
		if name, value, ok := entityDeclaration(subset[:n]); ok {
			if _, again := entities[name]; !again { // XML: the first declaration is binding
				entities[name] = value
			}
		}
		subset = subset[n:]
	}
	return entities
}

func entityDeclaration(decl []byte) (name, value string, ok bool) {
	rest, ok := bytes.CutPrefix(decl, []byte("<!ENTITY"))
	if !ok || len(rest) == 0 || !isSpace(rest[0]) {
		return "", "", false
	}
	rest = bytes.TrimLeft(rest, " \n\t\r")
	n := nameEnd(rest)
	if n == 0 || nameClass[rest[0]] != 1 || !isASCII(rest[:n]) {
		return "", "", false
	}
	name = string(rest[:n])
	rest = bytes.TrimLeft(rest[n:], " \n\t\r")
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return "", "", false
	}
	literal, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok || len(literal) > maxEntityBytes {
		return "", "", false
	}
	value, ok = plainText(literal)
	return name, value, ok
}

// plainText resolves the character references of an entity's value. It refuses markup and references to entities
// other than XML's five.
func plainText(literal []byte) (string, bool) {
	if bytes.IndexByte(literal, '<') >= 0 || bytes.IndexByte(literal, '%') >= 0 {
		return "", false
	}
	chars := references{known: map[string]string{}}
	var out strings.Builder
	for len(literal) > 0 {
		i := bytes.IndexByte(literal, '&')
		if i < 0 {
			out.Write(literal)
			break
		}
		out.Write(literal[:i])
		text, n, v := chars.resolve(literal[i:])
		if v != resolved || literal[i+1] != '#' && !isPredefined(literal[i+1:i+n-1]) {
			return "", false
		}
		out.WriteString(text)
		literal = literal[i+n:]
	}
	return out.String(), true
}

func isPredefined(name []byte) bool {
	switch string(name) {
	case "amp", "lt", "gt", "quot", "apos":
		return true
	}
	return false
}
