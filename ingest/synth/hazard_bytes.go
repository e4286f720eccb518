package synth

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// byteHazards are defects of files, encodings and markup.
var byteHazards = []hazard{
	{name: "undeclared-entities", rows: 1, spoil: undeclaredEntities},
	{name: "unknown-entity", rows: 1, spoil: unknownEntity},
	{name: "internal-subset", rows: 1, spoil: internalSubset},
	{name: "nested-entities", rows: 1, spoil: nestedEntities},
	{name: "entity-expansion", deadLetters: 1, spoil: entityExpansion},
	{name: "two-documents", rows: 2, spoil: twoDocuments},
	{name: "second-document-broken", rows: 1, deadLetters: 1, spoil: secondDocumentBroken},
	{name: "foreign-root-beside", rows: 1, deadLetters: 1, spoil: foreignRootBeside},
	{name: "unsupported-root", deadLetters: 1, spoil: unsupportedRoot},
	{name: "latin-1", rows: 1, spoil: latin1},
	{name: "undeclared-windows-1252", rows: 1, spoil: undeclaredWindows1252},
	{name: "utf-16", rows: 1, spoil: utf16},
	{name: "byte-order-mark", rows: 1, spoil: byteOrderMark},
	{name: "no-declaration", rows: 1, spoil: noDeclaration},
	{name: "raw-ampersand", deadLetters: 1, spoil: rawAmpersand},
	{name: "raw-less-than", deadLetters: 1, spoil: rawLessThan},
	{name: "control-characters", rows: 1, spoil: controlCharacters},
	{name: "double-hyphen-comment", rows: 1, spoil: doubleHyphenComment},
	{name: "huge-field", rows: 1, spoil: hugeField},
	{name: "truncated", deadLetters: 1, spoil: truncated},
	{name: "long-line", rows: 1, spoil: longLine},
	{name: "empty-elements", rows: 1, spoil: emptyElements},
	{name: "undeclared-prefix", rows: 1, spoil: undeclaredPrefix},
	{name: "alien-files", rows: 1, aliens: 5, spoil: alienFiles},
}

// Names of the ISO sets that XML does not know, of which files before 2005 are full.
func undeclaredEntities(s *spoiled) {
	s.paragraph("<p>&agr;-form, 5&mgr;m, x &minus; 1 &lsqb;a&rsqb; &plus; &nbsp;&eacute;</p>")
}

// A name that no set has.
func unknownEntity(s *spoiled) { s.paragraph("<p>a &nosuchname; b</p>") }

// A DOCTYPE that declares pictures, a file that must never be opened, and a text.
func internalSubset(s *spoiled) {
	s.replace(`/patent-document.dtd">`, `/patent-document.dtd" [
<!NOTATION TIF SYSTEM "TIF">
<!ENTITY F1.TIF SYSTEM "file:///etc/passwd" NDATA TIF>
<!ENTITY corp "Synthetic Corporation">
]>`)
	s.paragraph("<p>made by &corp;</p>")
}

// Entities of entities, which double at every step where they are followed.
func nestedEntities(s *spoiled) {
	s.replace(`/patent-document.dtd">`, `/patent-document.dtd" [
<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;">
]>`)
	s.paragraph("<p>x &d; y</p>")
}

// One long entity, used so often that the text would have megabytes.
func entityExpansion(s *spoiled) {
	s.replace(`/patent-document.dtd">`, `/patent-document.dtd" [<!ENTITY a "`+strings.Repeat("a ", 500)+`">]>`)
	s.paragraph("<p>" + strings.Repeat("&a;", 4000) + "</p>")
}

// A corrected front page in the same file, with its own declaration, as weekly files are put together.
func twoDocuments(s *spoiled) { s.content = append(s.content, s.frontPage()...) }

func secondDocumentBroken(s *spoiled) {
	second := s.frontPage()
	s.content = append(s.content, second[:len(second)*2/3]...)
}

// frontPage returns the document without texts as a correction of it, kind A8 or B8.
func (s *spoiled) frontPage() []byte {
	page := bytes.Clone(s.content)
	const end = "</bibliographic-data>"
	if from, to := bytes.Index(page, []byte(end)), bytes.Index(page, []byte("<copyright>")); from >= 0 && to > from {
		page = append(page[:from+len(end)], page[to:]...)
	}
	kind := s.d.kind[:1] + "8"
	page = bytes.ReplaceAll(page, []byte(s.ucid()), []byte(ucid(s.p.n, kind)))
	page = bytes.ReplaceAll(page, []byte(`kind="`+s.d.kind+`"`), []byte(`kind="`+kind+`"`))
	return bytes.Replace(page, []byte("<kind>"+s.d.kind+"</kind>"), []byte("<kind>"+kind+"</kind>"), 1)
}

// A sequence listing beside the patent, with a root of its own.
func foreignRootBeside(s *spoiled) {
	s.content = append(s.content, `<?xml version="1.0" encoding="UTF-8"?>
<sequence-cwu id="S-1"><publication-reference><document-id><country>EP</country></document-id></publication-reference></sequence-cwu>
`...)
}

// A dialect of another office and time.
func unsupportedRoot(s *spoiled) {
	s.content = []byte(`<?xml version="1.0" encoding="UTF-8"?>
<PATDOC DTD="2.5"><SDOBI><B100><B110><DNUM><PDAT>` + number(s.p.n) + `</PDAT></DNUM></B110></B100></SDOBI></PATDOC>
`)
}

func latin1(s *spoiled) {
	s.paragraph("<p>Grüße à l'été</p>")
	s.replace(`encoding="UTF-8"`, `encoding="ISO-8859-1"`)
	s.encode()
}

// Bytes that are no UTF-8 under a declaration that says they are.
func undeclaredWindows1252(s *spoiled) {
	s.paragraph("<p>Größe “quoted” 5 €</p>")
	s.encode()
}

// encode writes the document in windows-1252, of which ISO-8859-1 is a part. What it cannot write, it refers to.
func (s *spoiled) encode() {
	var b []byte
	for _, r := range string(s.content) {
		if c, ok := charmap.Windows1252.EncodeRune(r); ok {
			b = append(b, c)
		} else {
			b = append(b, "&#"+strconv.Itoa(int(r))+";"...)
		}
	}
	s.content = b
}

func utf16(s *spoiled) {
	s.replace(`encoding="UTF-8"`, `encoding="UTF-16"`)
	encoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(s.content)
	if err == nil { // valid UTF-8 always can
		s.content = encoded
	}
}

func byteOrderMark(s *spoiled) { s.content = append([]byte("\xef\xbb\xbf"), s.content...) }

// Neither XML declaration nor DOCTYPE, as IFI delivers.
func noDeclaration(s *spoiled) {
	if at := bytes.Index(s.content, []byte("<patent-document")); at > 0 {
		s.content = s.content[at:]
	}
}

func rawAmpersand(s *spoiled) { s.paragraph("<p>Smith & Jones</p>") }
func rawLessThan(s *spoiled)  { s.paragraph("<heading><First Embodiment</heading><p>x</p>") }

func controlCharacters(s *spoiled) { s.paragraph("<p>a\x02b and c&#2;d</p>") }

func doubleHyphenComment(s *spoiled) { s.paragraph("<p>a<!-- a -- b -->b</p>") }

// A sequence listing: more text than most readers take at once, but less than a document may have.
func hugeField(s *spoiled) {
	s.paragraph("<p>" + strings.Repeat("acgtacgtac ", 1<<18/11) + "</p>")
}

// The end of a download that broke off.
func truncated(s *spoiled) { s.content = s.content[:len(s.content)*2/3] }

// A bibliography of more than 64 KB on one line.
func longLine(s *spoiled) {
	names := make([]byte, 0, 1<<17)
	for i := 0; len(names) < 1<<16; i++ {
		names = append(names, `<applicant format="epo" status="new"><addressbook><name>LONG LINE `+strconv.Itoa(i)+`</name></addressbook></applicant>`...)
	}
	s.replace("</applicants>", string(names)+"</applicants>")
	head, rest, ok := bytes.Cut(s.content, []byte("</bibliographic-data>"))
	if ok {
		s.content = append(append(bytes.ReplaceAll(head, []byte("\n"), nil), "</bibliographic-data>"...), rest...)
	}
}

// Elements that an HTML parser leaves open.
func emptyElements(s *spoiled) { s.paragraph("<p>A<sub/>B</p><p/><p>C<br/>D</p>") }

// A prefix that only the DTD binds, and one that the element itself does.
func undeclaredPrefix(s *spoiled) {
	s.paragraph(`<p>E=<st32:f>mc<st32:sup>2</st32:sup></st32:f> <cit:see xmlns:cit="urn:x">p. 3</cit:see></p>`)
}

// What tools and file systems leave in the folders of a corpus. The names tell: the merged file is XML, and a double.
func alienFiles(s *spoiled) {
	s.add(".DS_Store", []byte("\x00\x00\x00\x01Bud1\x00\x00\x10\x00"))
	s.add("._"+s.ucid()+".xml", []byte("\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "))
	s.add(s.ucid()+"_abs.txt", []byte("an abstract that someone extracted\n"))
	s.add("UN-"+patentID(s.p.n)+".xml", bytes.Clone(s.content))
	s.add("toc.xml", []byte(`<?xml version="1.0"?><toc><entry>`+s.ucid()+"</entry></toc>\n"))
}
