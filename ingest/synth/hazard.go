package synth

import "bytes"

// hazard is a known defect of patent XML, and what must become of a file that has it.
type hazard struct {
	name        string
	rows        int // rows of documents/ that the file, and those added to it, give
	deadLetters int
	repeats     int // rows whose ucid another row of them has
	aliens      int // added files that hold no document
	spoil       func(*spoiled)
}

// clean is a file without a hazard: one row.
var clean = hazard{rows: 1}

// spoiled is a document in the hands of a hazard.
type spoiled struct {
	file
	p     *patent
	d     document
	added []file
}

// hazards are drawn with equal probability.
var hazards = func() (all []hazard) {
	for _, list := range [][]hazard{byteHazards, textHazards, bibliographyHazards} {
		all = append(all, list...)
	}
	return all
}()

// hazardOf returns the hazard of a document of patent n, if it has one.
func (u *universe) hazardOf(n int, d document) (hazard, bool) {
	r := draw(u.seed, forHazards, uint64(n*maxDocuments+d.ordinal))
	if !r.chance(u.hazardShare) {
		return hazard{}, false
	}
	return hazards[r.below(len(hazards))], true
}

// spoil applies h to a copy of the file.
func spoil(h hazard, f file, p *patent, d document) []file {
	s := spoiled{file: f, p: p, d: d}
	s.content = bytes.Clone(f.content)
	h.spoil(&s)
	return append([]file{s.file}, s.added...)
}

// replace puts text in place of the first old. A document without old stays as it is: a hazard that needs more than
// every document has brings it along with section.
func (s *spoiled) replace(old, text string) {
	s.content = bytes.Replace(s.content, []byte(old), []byte(text), 1)
}

// section adds elements after the texts of the document.
func (s *spoiled) section(xml string) { s.replace("<copyright>", xml+"<copyright>") }

// paragraph adds paragraphs to the description, which not every document has.
func (s *spoiled) paragraph(xml string) {
	if bytes.Contains(s.content, []byte("</description>")) {
		s.replace("</description>", xml+"</description>")
	} else {
		s.section(`<description lang="` + languageList[s.p.lang].code + `">` + xml + "</description>")
	}
}

// add puts another file into the patent's folder.
func (s *spoiled) add(name string, content []byte) {
	s.added = append(s.added, file{name: treePath(s.p.n) + name, modified: s.modified, content: content})
}

// ucid is the name of the document.
func (s *spoiled) ucid() string { return ucid(s.p.n, s.d.kind) }
