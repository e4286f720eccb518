package patentxml

import "strings"

// Who cited, as DOCDB codes it, where the file says so in other ways.
const (
	sourceApplicant = "APP"
	sourceSearch    = "SEA"
	sourceExaminer  = "EXA"
)

// leaveCitation takes what an element of a citation has collected.
func (r *reader) leaveCitation(at place) {
	switch at {
	case citedCountry, citedNumber, citedKind:
		r.citedPart(at)
	case citationCategory:
		r.cited.category = stronger(r.cited.category, r.short())
	case citedBy:
		r.cited.source = citedByWhom(r.short())
	case citedDocText:
		r.citeText()
	case patcit:
		r.cite()
	case citation, citedInReport, citedInText:
		if r.cited.patent {
			r.cite()
		}
	}
}

// citationSource takes one source element: of several, the one with the strongest category.
func (r *reader) citationSource(name, category string) {
	if r.cited.source == "" || strength(category) > strength(r.cited.category) {
		r.cited.source = name
	}
	r.cited.category = stronger(r.cited.category, category)
}

// citedPart reads a part of a cited document's id, which matters only when there is no ucid.
func (r *reader) citedPart(at place) {
	if r.cited.id.ucid != "" {
		return
	}
	switch at {
	case citedCountry:
		first(&r.cited.id.country, r.short())
	case citedNumber:
		first(&r.cited.id.number, r.short())
	case citedKind:
		first(&r.cited.id.kind, r.short())
	}
}

func (r *reader) cite() {
	id := r.cited.id
	first(&id.ucid, citedUCID(id.country, id.number, id.kind))
	if !r.d.citations.add(id.ucid, r.cited.source, r.cited.category) {
		r.warn.badCitation(strings.Trim(id.ucid+" "+id.country+" "+id.number+" "+id.kind, " "))
	}
}
