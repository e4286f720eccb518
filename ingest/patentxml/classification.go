package patentxml

import (
	"slices"

	"dssdnet/schemas"
)

// symbol is a classification code taken apart: A61K 31/00.
type symbol struct {
	text      string // normal form
	main, sub string // parts of text; "" when the code names only a subclass
	edition   string // the digit before old codes: 7 in "7C 07C  29/44"
}

// parseSymbol reads the classification symbol at the beginning of s and returns what follows it. It accepts every
// spelling that offices deliver: ST.8 columns ("A61K  31/00"), squeezed ("A61K31/00"), zero-padded ("A61K031/00"),
// spaced with an edition ("7C 07C  29/44"), a main group that lost its zero ("C 07D 4 3/02" is 403/02), without a slash
// ("A61F  537" is 5/37) and with a colon ("K63B21:055"). A subclass alone ("A61K") is a symbol; a main group alone gets
// its subgroup 00.
func parseSymbol(s []byte) (sym symbol, rest []byte, ok bool) {
	s = skipSpaces(s)
	if len(s) > 1 && isDigit(s[0]) {
		sym.edition = string(s[:1])
		s = skipSpaces(s[1:])
	}
	var code [len("A61K 2039/000000")]byte
	subclass := code[:0]
	for i := range 4 {
		s = skipSpaces(s)
		if len(s) == 0 {
			return symbol{}, nil, false
		}
		c := s[0]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if digit := i == 1 || i == 2; digit != isDigit(c) || !digit && (c < 'A' || c > 'Z') {
			return symbol{}, nil, false
		}
		subclass = append(subclass, c)
		s = s[1:]
	}
	main, sub, rest, ok := parseGroup(s)
	if !ok {
		return symbol{}, nil, false
	}
	if main == nil {
		sym.text = string(subclass)
		return sym, rest, true
	}
	text := append(append(append(append(subclass, ' '), main...), '/'), sub...)
	sym.text = string(text)
	sym.main = sym.text[5 : 5+len(main)]
	sym.sub = sym.text[6+len(main):]
	return sym, rest, true
}

// parseGroup reads main group and subgroup from what follows a subclass. main is nil when there is none.
func parseGroup(s []byte) (main, sub, rest []byte, ok bool) {
	field := 0 // length of the digits and spaces before the separator
	for field < len(s) && (isDigit(s[field]) || isSpace(s[field])) {
		field++
	}
	if field < len(s) && (s[field] == '/' || s[field] == ':') {
		sub = skipSpaces(s[field+1:])
		n := digits(sub)
		if n < 2 || n > 6 {
			return nil, nil, nil, false
		}
		main, ok = mainGroup(s[:field])
		return main, sub[:n], sub[n:], ok
	}
	digitsAt := len(s) - len(skipSpaces(s))
	s = s[digitsAt:]
	switch n := digits(s); {
	case n == 0: // nothing, or words
		return nil, nil, s, len(s) == 0
	case n >= 8: // the version date of a code that stops at the subclass
		return nil, nil, s, true
	case n <= 2:
		main, sub, rest = s[:n], []byte("00"), s[n:]
	default: // three columns of main group, unless that leaves no subgroup
		split := 3 - digitsAt
		if split < 1 || n-split < 2 {
			split = n - 2
		}
		main, sub, rest = s[:split], s[split:n], s[n:]
	}
	main, ok = mainGroup(main)
	return main, sub, rest, ok
}

// mainGroup reads the digits of a main group: "  31", "031", "2039", and "4 3", where a space stands for a zero.
func mainGroup(field []byte) ([]byte, bool) {
	field = skipSpaces(field)
	for len(field) > 0 && isSpace(field[len(field)-1]) {
		field = field[:len(field)-1]
	}
	if len(field) == 3 && isSpace(field[1]) {
		field = []byte{field[0], '0', field[2]}
	}
	for len(field) > 0 && field[0] == '0' {
		field = field[1:]
	}
	return field, len(field) > 0 && len(field) <= 4 && digits(field) == len(field)
}

// parseClassification reads an IPC or CPC code with the tail of WIPO standard ST.8 where it has one. Sections are the
// first letters allowed.
func parseClassification(s []byte, sections string, names *interner) (schemas.Classification, bool) {
	s = skipSpaces(s)
	sym, rest, ok := parseSymbol(s)
	if !ok || !slices.Contains([]byte(sections), sym.text[0]) {
		return schemas.Classification{}, false
	}
	c := schemas.Classification{
		Symbol:    sym.text,
		Section:   sym.text[:1],
		Class:     sym.text[:3],
		Subclass:  sym.text[:4],
		MainGroup: sym.main,
		Subgroup:  sym.sub,
		Version:   sym.edition,
	}
	if len(s) >= 30 && s[8] == '/' {
		columns(&c, s, names)
	} else {
		tail(&c, rest, names)
	}
	return c, true
}

// columns reads the fixed columns of ST.8: version 20-27, level 28, position 29, value 30, source 40, from 1.
func columns(c *schemas.Classification, s []byte, names *interner) {
	if digits(s[19:27]) == 8 {
		c.Version = names.of(s[19:27])
	}
	level(c, s[27])
	position(c, s[28])
	value(c, s[29])
	if len(s) >= 40 {
		origin(c, s[39])
	}
}

// tail reads the same fields where white space has been squeezed: the letters of level, position and value differ, but
// for the A of CPC, which is a value when it stands last.
func tail(c *schemas.Classification, rest []byte, names *interner) {
	rest = skipSpaces(rest)
	if digits(rest) != 8 {
		return
	}
	c.Version = names.of(rest[:8])
	rest = rest[8:]
	for len(rest) > 0 && !isDigit(rest[0]) {
		if rest[0] != 'A' || c.Level != "" || c.Position != "" {
			value(c, rest[0])
		}
		if c.Level == "" && c.Position == "" {
			level(c, rest[0])
		}
		position(c, rest[0])
		rest = rest[1:]
	}
	if digits(rest) == 8 && len(rest) >= 10 {
		origin(c, rest[9])
	}
}

func level(c *schemas.Classification, b byte) {
	switch b {
	case 'A':
		c.Level = "A"
	case 'C':
		c.Level = "C"
	case 'S':
		c.Level = "S"
	}
}

func position(c *schemas.Classification, b byte) {
	switch b {
	case 'F':
		c.Position = "F"
	case 'L':
		c.Position = "L"
	}
}

func value(c *schemas.Classification, b byte) {
	switch b {
	case 'I':
		c.Value = "I"
	case 'N', 'A': // IPC and CPC
		c.Value = "N"
	}
}

func origin(c *schemas.Classification, b byte) {
	switch b {
	case 'H':
		c.Source = "H"
	case 'M':
		c.Source = "M"
	case 'G':
		c.Source = "G"
	}
}

func skipSpaces(s []byte) []byte {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits returns how many digits s begins with.
func digits(s []byte) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
