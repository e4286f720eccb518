package synth

import (
	"bytes"
	"strings"
)

// bibliographyHazards are defects of numbers, classes, dates and parties.
var bibliographyHazards = []hazard{
	{name: "other-numbers", rows: 1, spoil: otherNumbers},
	{name: "unpadded-number", rows: 1, spoil: unpaddedNumber},
	{name: "ipc-spellings", rows: 1, spoil: ipcSpellings},
	{name: "ipc-unreadable", rows: 1, spoil: ipcUnreadable},
	{name: "repeated-entries", rows: 1, spoil: repeatedEntries},
	{name: "same-name-other-parent", rows: 1, spoil: sameNameOtherParent},
	{name: "impossible-dates", rows: 1, spoil: impossibleDates},
	{name: "no-dates", rows: 1, spoil: noDates},
	{name: "sent-again", rows: 2, repeats: 1, spoil: sentAgain},
	{name: "upper-case-extension", rows: 1, spoil: upperCaseExtension},
}

// Numbers of other documents before and after the one of this document.
func otherNumbers(s *spoiled) {
	s.replace("</publication-reference>", `<document-id format="epo"><country>EP</country><doc-number>`+number(s.p.n)+
		`.0</doc-number></document-id></publication-reference>`)
	s.replace("</bibliographic-data>", `<office-specific-data><document-id><country>US</country><doc-number>15067369</doc-number><kind>A1</kind>`+
		`<date>19010101</date></document-id></office-specific-data></bibliographic-data>`)
}

// The number without the zeros that make it seven digits.
func unpaddedNumber(s *spoiled) {
	short := strings.TrimLeft(number(s.p.n), "0")
	s.content = bytes.ReplaceAll(s.content, []byte(s.ucid()), []byte("EP-"+short+"-"+s.d.kind))
	s.content = bytes.ReplaceAll(s.content, []byte(`doc-number="`+number(s.p.n)+`"`), []byte(`doc-number="`+short+`"`))
}

// symbols adds classification rows; the document may have none.
func (s *spoiled) symbols(rows ...string) {
	xml := "<classifications-ipcr>"
	for _, row := range rows {
		xml += "<classification-ipcr>" + row + "</classification-ipcr>"
	}
	s.replace(`<technical-data status="new">`, `<technical-data status="new">`+xml+"</classifications-ipcr>")
}

func ipcSpellings(s *spoiled) {
	s.symbols("A61K  31/00", "A61K31/00", "A61K 31/00", "A61K031/00", "A61B005/00", " 7C 07C  29/44   A", "C 07D 4 3/02",
		"A47L 700", "A61F  537", "K63B21:055", "C07C  51/373+59/147", "A61K2039/00")
}

func ipcUnreadable(s *spoiled) { s.symbols("A61F  BAD", "", "Int.Cl.", "A61K") }

// The same symbol for several offices, the same person in several formats.
func repeatedEntries(s *spoiled) {
	const symbol = "A63B  21/02        20060101"
	s.symbols(symbol+"C N20051008RMEP        ", symbol+"A N20051008RMEP        ", symbol+"ALI20051220RMJP        ")
	inventors := `<inventor format="epo"><addressbook><name>DOE JANE</name></addressbook></inventor>` +
		`<inventor format="intermediate"><addressbook><name>DOE, JANE</name></addressbook></inventor>` +
		`<inventor format="original"><addressbook><last-name>Doe, Jane</last-name></addressbook></inventor>`
	s.replace("</inventors>", inventors+inventors+"</inventors>")
}

// Names that mean something else elsewhere: a national class, citations in the text, the field of search.
func sameNameOtherParent(s *spoiled) {
	s.replace("</technical-data>", `<classification-national><country>US</country><main-classification>339097P</main-classification></classification-national>`+
		`<field-of-search><classification-ipc><main-classification>B82Y  40/00</main-classification></classification-ipc></field-of-search></technical-data>`)
	s.paragraph(`<p>known from <patcit dnum="US9999999"><text>US 9999999</text></patcit></p>`)
}

func impossibleDates(s *spoiled) {
	published := string(s.d.published.append(nil))
	s.replace(`date="`+published+`"`, `date="`+published[:6]+`00"`)
	filed := string(s.p.filing.append(nil))
	s.replace("<date>"+filed+"</date>", "<date>0</date>")
}

func noDates(s *spoiled) {
	published := string(s.d.published.append(nil))
	s.replace(`date="`+published+`"`, `date=""`)
	s.content = bytes.ReplaceAll(s.content, []byte("<date>"+published+"</date>"), nil)
}

// The same document in a second file, produced later.
func sentAgain(s *spoiled) {
	again := bytes.Clone(s.content)
	produced := string(producedOn(s.d).append(nil))
	later := string((producedOn(s.d) + 400).append(nil))
	again = bytes.Replace(again, []byte(`date-produced="`+produced+`" status="new"`), []byte(`date-produced="`+later+`" status="corrected"`), 1)
	s.add(s.ucid()+"_2.xml", again)
}

func upperCaseExtension(s *spoiled) { s.name = strings.TrimSuffix(s.name, ".xml") + ".XML" }
