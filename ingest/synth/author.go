package synth

// author writes documents into a buffer of its own. One goroutine has one author.
type author struct {
	*universe
	b         []byte
	p         patent
	voices    [languages]voice
	documents []document
	citations []citation
}

// begin makes p the patent that documents are written of.
func (a *author) begin(p patent) {
	a.p = p
	a.documents = a.universe.documents(&a.p, a.documents[:0])
	a.citations = a.universe.citations(&a.p, a.citations[:0])
	concepts := a.conceptsOf(p.root)
	for lang := range a.voices {
		a.voices[lang] = a.voice(&a.p, concepts, lang)
	}
}

// document writes a document of the current patent as XML. cited is false for a topic, whose citations are the
// answer. The bytes are valid until the next call.
func (a *author) document(d document, cited bool) []byte {
	p := &a.p
	version := "1.2"
	if p.n%3 > 0 {
		version = "1.4" // files of both versions lie side by side in the corpus
	}
	b := a.b[:0]
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE patent-document
  PUBLIC "-//MXW//DTD patent-document XML//EN" "http://www.matrixware.com/dtds/patents/v`...)
	b = append(b, version...)
	b = append(b, `/patent-document.dtd"><patent-document`...)
	b = attribute(b, "ucid", ucid(p.n, d.kind))
	b = append(b, ` country="EP"`...)
	b = attribute(b, "doc-number", number(p.n))
	b = attribute(b, "kind", d.kind)
	b = attribute(b, "lang", languageList[p.lang].code)
	b = append(b, ` date="`...)
	b = d.published.append(b)
	b = append(b, '"')
	b = attribute(b, "family-id", p.familyID())
	b = append(b, ` date-produced="`...)
	b = producedOn(d).append(b)
	b = append(b, `" status="new">`...)
	b = a.bibliography(b, p, d, cited)
	b = a.texts(b, p, d)
	b = append(b, "<copyright>"+copyright+"</copyright></patent-document>\n"...)
	a.b = b
	return b
}

const copyright = "This document was made up by a program. Nobody has rights in it; it describes no invention."

// texts writes the sections that a document of its kind has: an application what it was filed with, in its own
// language; a search report nothing; a granted patent the description and the claims in three languages, but no
// abstract.
func (a *author) texts(b []byte, p *patent, d document) []byte {
	own := &a.voices[p.lang]
	switch {
	case granted(d):
		b = a.section(b, "description", own, func(b []byte) []byte { return a.description(b, p, own) })
		for _, lang := range [...]int{languageDE, languageEN, languageFR} {
			v := &a.voices[lang]
			b = a.section(b, "claims", v, func(b []byte) []byte { return a.claims(b, p, v, d.ordinal) })
		}
	case d.ordinal == 0 && p.route != euroPCT:
		if !p.noAbstract {
			b = a.section(b, "abstract", own, func(b []byte) []byte { return a.abstract(b, p, own) })
		}
		if !p.frontPageOnly {
			b = a.section(b, "description", own, func(b []byte) []byte { return a.description(b, p, own) })
			b = a.section(b, "claims", own, func(b []byte) []byte { return a.claims(b, p, own, d.ordinal) })
		}
	}
	return b
}

func (a *author) section(b []byte, name string, v *voice, content func([]byte) []byte) []byte {
	b = append(b, '<')
	b = append(b, name...)
	b = attribute(b, "lang", v.code)
	b = append(b, ` load-source="ep" status="new">`...)
	b = content(b)
	return append(closeTag(b, name), '\n')
}
