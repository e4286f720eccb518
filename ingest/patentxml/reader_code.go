package patentxml

import "strings"

// splitSymbol is a classification symbol with an element for each part, as written.
type splitSymbol struct {
	section, class, subclass, mainGroup, subgroup string
	version, level, position, value, source       string
}

// leaveCode takes what an element of a classification has collected.
func (r *reader) leaveCode(at place) {
	switch at {
	case ipcEdition:
		r.edition = r.short()
	case ipcMain, ipcFurther, ipcr:
		r.classify(&r.d.ipc, ipcSections, at)
	case cpc:
		r.classify(&r.d.cpc, cpcSections, at)
	case ipcrParts:
		r.classifyParts(&r.d.ipc, ipcSections)
	case cpcParts:
		r.classifyParts(&r.d.cpc, cpcSections)
	case codeSection:
		r.code.section = r.short()
	case codeClass:
		r.code.class = r.short()
	case codeSubclass:
		r.code.subclass = r.short()
	case codeMainGroup:
		r.code.mainGroup = r.short()
	case codeSubgroup:
		r.code.subgroup = r.short()
	case codeVersionDate:
		r.code.version = r.short()
	case codeLevel:
		r.code.level = r.short()
	case codePosition:
		r.code.position = r.short()
	case codeValue:
		r.code.value = r.short()
	case codeSource:
		r.code.source = r.short()
	}
}

// classify reads a code. Of the old short codes the first is told from the others by its element, and the edition
// stands in another one.
func (r *reader) classify(list *classifications, sections string, at place) {
	if len(clean(r.value)) == 0 {
		return
	}
	c, ok := parseClassification(r.value, sections, r.names)
	if !ok {
		r.warn.badSymbol(clean(r.value))
		return
	}
	if at == ipcMain || at == ipcFurther {
		if c.Version == "" {
			c.Version = r.edition
		}
		if at == ipcMain && c.Position == "" {
			c.Position = "F"
		}
	}
	list.add(c)
}

// classifyParts reads a code that came in parts.
func (r *reader) classifyParts(list *classifications, sections string) {
	code := r.code.text()
	if code == "" {
		return
	}
	c, ok := parseClassification([]byte(code), sections, r.names)
	if !ok {
		r.warn.badSymbol([]byte(code))
		return
	}
	if len(r.code.version) == 8 && digits([]byte(r.code.version)) == 8 {
		c.Version = r.code.version
	}
	level(&c, letter(r.code.level))
	position(&c, letter(r.code.position))
	value(&c, letter(r.code.value))
	origin(&c, letter(r.code.source))
	list.add(c)
}

// text is the symbol in one piece, "" when no part was given.
func (s splitSymbol) text() string {
	if len(s.class) == 1 && isDigit(s.class[0]) { // files of 2006 drop zeros
		s.class = "0" + s.class
	}
	symbol := s.section + s.class + s.subclass
	if s.mainGroup == "" && s.subgroup == "" {
		return symbol
	}
	first(&s.subgroup, "00")
	return symbol + " " + s.mainGroup + "/" + strings.TrimPrefix(s.subgroup, "/")
}

// letter is the code of a one-letter field, 0 for anything else.
func letter(field string) byte {
	if len(field) != 1 {
		return 0
	}
	return field[0]
}
