package patentxml

// boundary is what the start and the end of an element do to the text around them.
type boundary uint8

const (
	inline  boundary = iota // nothing: CO<sub>2</sub> is one word
	block                   // ends the word
	line                    // ends the line, where the column has lines
	dropped                 // the element has no text of the patent
)

// boundaryOf classifies an element inside a text by its local name. An unknown element is inline: formula dialects have
// more names than any list, and splitting a word loses it while joining two is what the writer of <x>a</x><x>b</x> asked
// for.
func boundaryOf(name []byte) boundary {
	switch string(name) {
	case "b", "i", "u", "o", "sub", "sup", "figref", "claim-ref", "img":
		return inline
	case "p", "heading", "title",
		"technical-field", "background-art", "disclosure", "summary-of-invention", "description-of-drawings",
		"description-of-embodiments", "best-mode", "mode-for-invention", "industrial-applicability",
		"sequence-list-text", "reference-signs-list", "reference-to-deposited-biological-material",
		// the parts of a description of the USPTO
		"cross-reference-to-related-applications", "federal-research-statement", "background-of-invention",
		"brief-description-of-drawings", "description-of-drawing", "detailed-description", "brief-description-of-sequences",
		"tech-problem", "tech-solution", "advantageous-effects", "abst-problem", "abst-solution", "claim-statement":
		return line
	case "claim-text", "claim", "li", "br", "pre", "ul", "ol", "sl", "dl", "dt", "dd", "doc-page",
		"tables", "table", "tgroup", "thead", "tbody", "tfoot", "row", "entry", "colspec", "table-external-doc",
		"tr", "td", "th", "caption",
		// the parts of a citation in the running text
		"country", "doc-number", "kind", "date", "article", "author", "name", "last-name",
		"first-name", "atl", "serial", "sertitle", "book", "book-title", "publisher", "pubdate", "imprint", "online",
		"location", "pp", "ppf", "ppl", "vid", "ino", "depositary", "bio-accno", "term":
		return block
	case "copyright":
		return dropped
	}
	return inline
}
