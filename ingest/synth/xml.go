package synth

import "strconv"

func openTag(b []byte, name string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	return append(b, '>')
}

func closeTag(b []byte, name string) []byte {
	b = append(b, "</"...)
	b = append(b, name...)
	return append(b, '>')
}

// tagged writes an element with text that is already escaped.
func tagged(b []byte, name, text string) []byte {
	b = openTag(b, name)
	b = append(b, text...)
	return closeTag(b, name)
}

func attribute(b []byte, name, value string) []byte {
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="`...)
	b = append(b, value...)
	return append(b, '"')
}

// documentID writes country, number, kind and date, the last two when they are given.
func documentID(b []byte, format, country, number, kind string, date day, dated bool) []byte {
	b = append(b, "<document-id"...)
	b = attribute(b, "format", format)
	b = append(b, '>')
	b = tagged(b, "country", country)
	b = tagged(b, "doc-number", number)
	if kind != "" {
		b = tagged(b, "kind", kind)
	}
	if dated {
		b = append(b, "<date>"...)
		b = date.append(b)
		b = append(b, "</date>"...)
	}
	return append(b, "</document-id>"...)
}

// number is a patent number as the office writes it: seven digits.
func number(n int) string { return string(appendPadded(nil, n, 7)) }

// patentID is the name of patent n: EP-0000007.
func patentID(n int) string { return "EP-" + number(n) }

// ucid is the name of a document.
func ucid(n int, kind string) string { return patentID(n) + "-" + kind }

// applicationNumber is the year of filing and a number of that year.
func (p *patent) applicationNumber() string {
	year := p.filing.time().Year() % 100
	return string(appendPadded(appendPadded(nil, year, 2), p.n%1_000_000, 6))
}

// familyID is the number of the family that a patent and its divisions form.
func (p *patent) familyID() string { return strconv.Itoa(20_000_000 + p.root) }
