package patentxml

import (
	"bytes"
	"strings"
)

// reader reads the events of one document into a draft, by the grammar of its dialect.
type reader struct {
	names   *interner
	warn    *warnings
	limits  Limits
	d       *draft
	dialect *dialect
	grammar *grammar // the dialect's

	path  []place // of the open elements
	skip  int     // open elements from one without a place down
	ifi   bool    // an element that only IFI CLAIMS has was seen
	value []byte  // text of the value being read
	block blockText

	lang, source string // of the block being read
	titleLang    string // of the title that follows, where the language is an element of its own
	edition      string // of the old symbols being read
	published    docID  // of this publication, where it isn't said by the root
	code         splitSymbol
	cited        citedDocument
	party        partyNames
}

// docID is a document-id and the ucid of the element around it.
type docID struct{ ucid, country, number, kind, date string }

type citedDocument struct {
	id               docID
	patent           bool // there is one: the citation is not of a book
	source, category string
}

type partyNames struct{ format, appType, name, last, first string }

// newReader returns the parser's reader, made ready for another document.
func (p *Parser) newReader(of *dialect, pro prolog) *reader {
	old := p.reader
	p.reader = reader{
		names: p.names, warn: &p.warn, limits: p.limits, d: &p.draft, dialect: of, grammar: of.grammar,
		path: old.path[:0], value: old.value[:0], block: old.block,
	}
	p.draft.dialect = of.name(pro)
	return &p.reader
}

func (r *reader) start(name []byte, attrs attributes) {
	if r.skip > 0 {
		r.skip++
		return
	}
	at := root
	if len(r.path) > 0 {
		at = r.child(r.path[len(r.path)-1], name)
	}
	if at == nowhere {
		r.skip = 1
		r.ifi = r.ifi || bytes.HasPrefix(name, []byte("ifi-"))
		return
	}
	r.path = append(r.path, at)
	r.enter(at, attrs)
}

func (r *reader) child(parent place, name []byte) place {
	switch {
	case isText(parent):
		if r.block.start(name) {
			return withinText
		}
		return nowhere
	case isValue[parent]:
		return inside
	}
	return r.grammar.placeOf(parent, name)
}

func (r *reader) end() {
	if r.skip > 0 {
		r.skip--
		return
	}
	at := r.path[len(r.path)-1]
	r.path = r.path[:len(r.path)-1]
	r.leave(at)
}

func (r *reader) text(b []byte) {
	if r.skip > 0 {
		return
	}
	switch at := r.path[len(r.path)-1]; {
	case isText(at):
		r.block.words.write(b)
	case isValue[at]:
		r.value = append(r.value, b...)
	}
}

// done completes the draft. It is called after the last event.
func (r *reader) done() {
	id := r.published
	first(&r.d.country, id.country)
	first(&r.d.number, id.number)
	first(&r.d.kind, id.kind)
	first(&r.d.published, id.date)
	r.dialect.done(r)
}

// enter reads the attributes of an element and makes room for its content.
func (r *reader) enter(at place, attrs attributes) {
	attr := func(name string) string { return r.names.of(clean(attrs.get(name))) }
	if isValue[at] && at != inside {
		r.value = r.value[:0]
	}
	switch at {
	case root:
		r.enterRoot(attrs)
	case publication:
		r.published.ucid = attr("ucid")
	case ipcOld:
		r.edition = ""
	case cpcList:
		r.ifi = true
	case ipcrParts, cpcParts:
		r.code = splitSymbol{}
	case patcit:
		r.cited = citedDocument{id: docID{ucid: string(clean(attrs.get("ucid")))}}
	case citation:
		r.cited = citedDocument{}
	case citedInReport:
		r.cited = citedDocument{source: sourceSearch}
	case citedInText:
		r.cited = citedDocument{source: sourceApplicant, patent: true}
	case citedPatcit:
		r.cited.patent = true
	case citationSource:
		r.citationSource(attr("name"), attr("category"))
	case applicant, usApplicant, assignee, inventor:
		r.party = partyNames{format: attr("format"), appType: attr("app-type")}
	case titleText:
		r.begin(title, attr)
	case abstractText:
		r.begin(abstract, attr)
	case descriptionText:
		r.begin(description, attr)
	case claimsText:
		r.begin(claims, attr)
	}
}

// enterRoot is apart from enter because the dialect's function makes its argument escape to the heap.
func (r *reader) enterRoot(attrs attributes) {
	r.dialect.root(r.d, func(name string) string { return r.names.of(clean(attrs.get(name))) })
}

// leave takes what an element has collected.
func (r *reader) leave(at place) {
	switch at {
	case withinText:
		r.block.end()
	case titleText, abstractText, descriptionText, claimsText:
		r.finish()
	case publicationCountry:
		first(&r.published.country, r.short())
	case publicationNumber:
		first(&r.published.number, r.short())
	case publicationKind:
		first(&r.published.kind, r.short())
	case publicationDate:
		first(&r.published.date, r.short())
	case applicationDate:
		first(&r.d.filed, r.short())
	case priorityDate:
		r.d.priorities = append(r.d.priorities, r.short())
	case titleLanguage:
		r.titleLang = r.short()
	default: // the places of a kind stand together
		switch {
		case at >= allParties:
			r.leaveParty(at)
		case at >= citationLists:
			r.leaveCitation(at)
		default:
			r.leaveCode(at)
		}
	}
}

// short is the value that was just read.
func (r *reader) short() string { return r.names.of(clean(r.value)) }

// first keeps the first of several values: offices repeat a document-id in other formats.
func first(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

func (r *reader) begin(kind section, attr attributer) {
	r.lang = attr("lang")
	if kind == title {
		first(&r.lang, r.titleLang)
		r.titleLang = ""
	}
	r.lang = strings.ToLower(r.lang)
	r.source = attr("load-source")
	r.block.begin(kind, r.limits.FieldBytes)
}

func (r *reader) finish() {
	text, cut := r.block.finish()
	if text == "" {
		return
	}
	r.d.passages = append(r.d.passages, passage{
		section: r.block.section, declared: r.lang, source: r.source, text: text, cut: cut,
	})
}
