package patentxml

import (
	"bytes"
	"strings"
)

// Dialects of the root patent-document, as they stand in schemas.Document.
const (
	dialectCLEFIP = "clef-ip" // Matrixware's DTD v1.2 and v1.4
	dialectMAREC  = "marec"   // the same DTD from the Information Retrieval Facility
	dialectIFI    = "ifi"     // IFI CLAIMS: no DOCTYPE, CPC, elements of its own
)

// patentDocument reads the root patent-document: CLEF-IP, MAREC and IFI CLAIMS.
type patentDocument struct {
	names  *interner
	warn   *warnings
	limits Limits
	d      *draft

	path  []place // of the open elements; grammar says where each leads
	skip  int     // open elements from one without a place down
	ifi   bool    // an element that only IFI CLAIMS has was seen
	value []byte  // text of the value being read
	block blockText

	lang, source string // of the block being read
	edition      string // of the classification-ipc being read
	published    docID  // publication-reference
	cited        citedDocument
	party        partyNames
}

// docID is a document-id and the ucid of the element around it.
type docID struct{ ucid, country, number, kind, date string }

type citedDocument struct {
	id               docID
	source, category string
}

type partyNames struct{ format, name, last, first string }

func newPatentDocument(p *Parser, pro prolog) dialect {
	old := p.patentDocument
	p.patentDocument = patentDocument{
		names: p.names, warn: &p.warn, limits: p.limits, d: &p.draft,
		path: old.path[:0], value: old.value[:0], block: old.block,
	}
	p.draft.dialect = dialectCLEFIP
	if strings.Contains(pro.systemID, "ir-facility.org") {
		p.draft.dialect = dialectMAREC
	}
	return &p.patentDocument
}

func (h *patentDocument) start(name []byte, attrs attributes) {
	if h.skip > 0 {
		h.skip++
		return
	}
	at := root
	if len(h.path) > 0 {
		at = h.child(h.path[len(h.path)-1], name)
	}
	if at == nowhere {
		h.skip = 1
		h.ifi = h.ifi || bytes.HasPrefix(name, []byte("ifi-"))
		return
	}
	h.path = append(h.path, at)
	h.enter(at, attrs)
}

func (h *patentDocument) child(parent place, name []byte) place {
	switch {
	case isText(parent):
		if h.block.start(name) {
			return withinText
		}
		return nowhere
	case isValue[parent]:
		return inside
	}
	return placeOf(parent, name)
}

func (h *patentDocument) end() {
	if h.skip > 0 {
		h.skip--
		return
	}
	at := h.path[len(h.path)-1]
	h.path = h.path[:len(h.path)-1]
	h.leave(at)
}

func (h *patentDocument) text(b []byte) {
	if h.skip > 0 {
		return
	}
	switch at := h.path[len(h.path)-1]; {
	case isText(at):
		h.block.words.write(b)
	case isValue[at]:
		h.value = append(h.value, b...)
	}
}

// done completes the draft.
func (h *patentDocument) done() {
	if h.ifi {
		h.d.dialect = dialectIFI
	}
	id := h.published
	h.d.publicationUCID = id.ucid
	first(&h.d.country, id.country)
	first(&h.d.number, id.number)
	first(&h.d.kind, id.kind)
	first(&h.d.published, id.date)
}

// enter reads the attributes of an element and makes room for its content.
func (h *patentDocument) enter(at place, attrs attributes) {
	attr := func(name string) string { return h.names.of(clean(attrs.get(name))) }
	if isValue[at] && at != inside {
		h.value = h.value[:0]
	}
	switch at {
	case root:
		h.d.ucid = attr("ucid")
		h.d.country = attr("country")
		h.d.number = attr("doc-number")
		h.d.kind = attr("kind")
		h.d.lang = strings.ToLower(attr("lang"))
		h.d.published = attr("date")
		h.d.produced = attr("date-produced")
		h.d.family = attr("family-id")
		h.d.status = attr("status")
	case publication:
		h.published.ucid = attr("ucid")
	case ipcOld:
		h.edition = ""
	case cpcList:
		h.ifi = true
	case patcit:
		h.cited = citedDocument{id: docID{ucid: string(clean(attrs.get("ucid")))}}
	case citationSource:
		h.citationSource(attr("name"), attr("category"))
	case applicant, assignee, inventor:
		h.party = partyNames{format: attr("format")}
	case titleText:
		h.begin(title, attr)
	case abstractText:
		h.begin(abstract, attr)
	case descriptionText:
		h.begin(description, attr)
	case claimsText:
		h.begin(claims, attr)
	}
}

// leave takes what an element has collected.
func (h *patentDocument) leave(at place) {
	switch at {
	case withinText:
		h.block.end()
	case titleText, abstractText, descriptionText, claimsText:
		h.finish()
	case publicationCountry:
		first(&h.published.country, h.short())
	case publicationNumber:
		first(&h.published.number, h.short())
	case publicationKind:
		first(&h.published.kind, h.short())
	case publicationDate:
		first(&h.published.date, h.short())
	case applicationDate:
		first(&h.d.filed, h.short())
	case priorityDate:
		h.d.priorities = append(h.d.priorities, h.short())
	case ipcEdition:
		h.edition = h.short()
	case ipcMain, ipcFurther, ipcr:
		h.classify(&h.d.ipc, ipcSections, at)
	case cpc:
		h.classify(&h.d.cpc, cpcSections, at)
	case citedCountry, citedNumber, citedKind:
		h.citedPart(at)
	case citationCategory:
		h.cited.category = stronger(h.cited.category, h.short())
	case patcit:
		h.cite()
	case partyName:
		first(&h.party.name, string(clean(h.value)))
	case partyLastName:
		first(&h.party.last, string(clean(h.value)))
	case partyFirstName:
		first(&h.party.first, string(clean(h.value)))
	case applicant:
		h.d.applicants.add(h.party.format, h.party.full())
	case assignee:
		h.d.assignees.add(h.party.format, h.party.full())
	case inventor:
		h.d.inventors.add(h.party.format, h.party.full())
	}
}

// short is the value that was just read.
func (h *patentDocument) short() string { return h.names.of(clean(h.value)) }

// first keeps the first of several values: offices repeat a document-id in other formats.
func first(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

func (h *patentDocument) begin(kind section, attr func(string) string) {
	h.lang = strings.ToLower(attr("lang"))
	h.source = attr("load-source")
	h.block.begin(kind, h.limits.FieldBytes)
}

func (h *patentDocument) finish() {
	text, cut := h.block.finish()
	if text == "" {
		return
	}
	h.d.passages = append(h.d.passages, passage{
		section: h.block.section, declared: h.lang, source: h.source, text: text, cut: cut,
	})
}

// classify reads a code. Of the old short codes the first is told from the others by its element, and the edition
// stands in another one.
func (h *patentDocument) classify(list *classifications, sections string, at place) {
	if len(clean(h.value)) == 0 {
		return
	}
	c, ok := parseClassification(h.value, sections, h.names)
	if !ok {
		h.warn.badSymbol(clean(h.value))
		return
	}
	if at == ipcMain || at == ipcFurther {
		if c.Version == "" {
			c.Version = h.edition
		}
		if at == ipcMain && c.Position == "" {
			c.Position = "F"
		}
	}
	list.add(c)
}

// citationSource takes one source element: of several, the one with the strongest category.
func (h *patentDocument) citationSource(name, category string) {
	if h.cited.source == "" || strength(category) > strength(h.cited.category) {
		h.cited.source = name
	}
	h.cited.category = stronger(h.cited.category, category)
}

// citedPart reads a part of a cited document's id, which matters only when there is no ucid.
func (h *patentDocument) citedPart(at place) {
	if h.cited.id.ucid != "" {
		return
	}
	switch at {
	case citedCountry:
		first(&h.cited.id.country, h.short())
	case citedNumber:
		first(&h.cited.id.number, h.short())
	case citedKind:
		first(&h.cited.id.kind, h.short())
	}
}

func (h *patentDocument) cite() {
	id := h.cited.id
	if id.ucid == "" && id.country != "" && id.number != "" {
		id.ucid = strings.TrimSuffix(id.country+"-"+id.number+"-"+id.kind, "-")
	}
	if !h.d.citations.add(id.ucid, h.cited.source, h.cited.category) {
		h.warn.badCitation(id.ucid)
	}
}

// full is the name of a person or a company: "Doe, Jane" where the file has it in two parts.
func (n partyNames) full() string {
	switch {
	case n.name != "":
		return n.name
	case n.first == "" || n.last == "":
		return n.last + n.first
	}
	return n.last + ", " + n.first
}
