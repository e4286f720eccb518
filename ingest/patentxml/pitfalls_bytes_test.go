package patentxml

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The tests TestPitfallNN go through the known pitfalls of patent XML, one each. This file: getting the bytes parsed.

func TestPitfall01UndeclaredEntities(t *testing.T) {
	row := parse(t, described(`<p>&agr;-form, 5&mgr;m, x &minus; 1 &lsqb;a&rsqb; &OHgr; &THgr;&nbsp;&ldquo;q&rdquo;</p>`))
	equal(t, "text", row.DescriptionEN, "α-form, 5μm, x − 1 [a] Ω Θ “q”")
	noWarnings(t, row)

	row = parse(t, described(`<p>25&bogus;C &bogus; &notx; &amp;lt; &#945;&#x3B2;</p>`))
	equal(t, "unknown names", row.DescriptionEN, "25\ufffdC \ufffd \ufffd &lt; αβ")
	hasWarning(t, row, "3 references to unknown entities replaced by U+FFFD: &bogus; &notx;")
}

func TestPitfall02ExternalDTD(t *testing.T) {
	const doctype = `<!DOCTYPE patent-document SYSTEM "http://127.0.0.1:1/x.dtd" [
		<!-- it's a "comment" with ] and > -->
		<!NOTATION TIF SYSTEM "t"> <!ENTITY US1.TIF SYSTEM "file:///etc/passwd" NDATA TIF>
		<!ENTITY xxe SYSTEM "file:///etc/passwd"> <!ENTITY % p "<!ENTITY q 'r'>"> %p;
		<!ENTITY foo "bar &#38; b&#228;r"> <!ENTITY foo "second"> <!ENTITY nested "&foo;&foo;"> <!ENTITY tag "<b>x</b>">
	]>`
	row := parse(t, doctype+described(`<p>&foo; &xxe; &nested; &tag;</p>`))
	equal(t, "text", row.DescriptionEN, "bar & bär \ufffd \ufffd \ufffd")
	hasWarning(t, row, "3 references to unknown entities")

	bomb := `<!DOCTYPE patent-document [<!ENTITY a "` + strings.Repeat("x", maxEntityBytes) + `">]>` +
		described(`<p>`+strings.Repeat("&a;", maxExpansionBytes/maxEntityBytes+1)+`</p>`)
	r := reject(t, bomb, ReasonEntityExpansion)
	if r.Offset == 0 || r.Line != 1 {
		t.Errorf("the bomb has no place: %+v", r)
	}
}

func TestPitfall03SeveralDocumentsInOneFile(t *testing.T) {
	one := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<!DOCTYPE patent-document SYSTEM "x" [ ]>` + "\n" + patent(`<abstract lang="EN"><p>%s</p></abstract>`) + "\n"
	file := fmt.Sprintf(one, "first") + "\xef\xbb\xbf" + fmt.Sprintf(one, "<b>bad</i>") + fmt.Sprintf(one, "third")
	c := NewCutter(strings.NewReader(file), 1<<20)
	var got []string
	for {
		piece, err := c.Next()
		if err != nil {
			break
		}
		row, rejection := NewParser(Limits{}).parse(piece.Bytes, 0)
		if rejection != nil {
			got = append(got, rejection.Reason)
			continue
		}
		got = append(got, row.AbstractEN)
	}
	equal(t, "documents", strings.Join(got, ", "), "first, not-well-formed, third")
}

func TestPitfall04OtherRootsInOneFile(t *testing.T) {
	file := patent("") + `<sequence-cwu><publication-reference>x</publication-reference></sequence-cwu>` + "\n" + patent("")
	c := NewCutter(strings.NewReader(file), 1<<20)
	var roots []string
	for {
		piece, err := c.Next()
		if err != nil {
			break
		}
		roots = append(roots, piece.Root)
		if piece.Root == "sequence-cwu" {
			r := reject(t, string(piece.Bytes), ReasonUnsupportedRoot)
			equal(t, "message", r.Message, "unsupported root sequence-cwu")
		}
	}
	equal(t, "roots", strings.Join(roots, " "), "patent-document sequence-cwu patent-document")
}

func TestPitfall05RootDecidesTheDialect(t *testing.T) {
	r := reject(t, `<?xml version="1.0"?><!DOCTYPE PATDOC PUBLIC "-//X//EN" "ST32.dtd" []><PATDOC DTD="2.5"></PATDOC>`, ReasonUnsupportedRoot)
	equal(t, "message", r.Message, "unsupported root PATDOC")
	r = reject(t, `<pat:PatentPublication xmlns:pat="p"/>`, ReasonUnsupportedRoot)
	equal(t, "message", r.Message, "unsupported root pat:PatentPublication")

	equal(t, "no doctype", parse(t, patent("")).Dialect, "clef-ip")
	equal(t, "marec", parse(t, `<!DOCTYPE patent-document PUBLIC "-//M//EN" "http://www.ir-facility.org/p.dtd">`+patent("")).Dialect, "marec")
	equal(t, "ifi", parse(t, patent(`<bibliographic-data><ifi-integrated-content/></bibliographic-data>`)).Dialect, "ifi")
}

func TestPitfall06Encodings(t *testing.T) {
	const text = "Grüße – Œuvre"
	latin, err := charmap.Windows1252.NewEncoder().String(described("<p>" + text + "</p>"))
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"ISO-8859-1", "windows-1252", "latin1"} {
		row := parse(t, `<?xml version="1.0" encoding="`+label+`"?>`+latin)
		equal(t, label, row.DescriptionEN, text)
		noWarnings(t, row)
	}
	row := parse(t, latin)
	equal(t, "undeclared", row.DescriptionEN, text)
	hasWarning(t, row, "encoding repaired: 4 bytes")

	row = parse(t, described("<p>Grüße, Stra\xdfe</p>"))
	equal(t, "one foreign byte", row.DescriptionEN, "Grüße, Straße")

	units := utf16.Encode([]rune(`<?xml version="1.0" encoding="UTF-16"?>` + described("<p>"+text+" 𝛼</p>")))
	for _, bigEndian := range []bool{false, true} {
		for _, mark := range []bool{false, true} {
			var file bytes.Buffer
			if mark {
				units = append([]uint16{0xfeff}, units...)
			}
			for _, u := range units {
				if bigEndian {
					file.Write([]byte{byte(u >> 8), byte(u)})
				} else {
					file.Write([]byte{byte(u), byte(u >> 8)})
				}
			}
			if mark {
				units = units[1:]
			}
			row := parse(t, file.String())
			equal(t, "UTF-16", row.DescriptionEN, text+" 𝛼")
		}
	}
	row = parse(t, `<?xml version="1.0" encoding="UTF-16"?>`+described("<p>ü</p>"))
	equal(t, "UTF-16 declared in UTF-8", row.DescriptionEN, "ü")

	r := reject(t, `<?xml version="1.0" encoding="x-none"?>`+latin, ReasonEncoding)
	equal(t, "message", r.Message, `unknown encoding "x-none" declared and the document is no valid UTF-8`)
	row = parse(t, `<?xml version="1.0" encoding="x-none"?>`+described("<p>ü</p>"))
	hasWarning(t, row, `unknown encoding "x-none"`)
}

func TestPitfall07ByteOrderMark(t *testing.T) {
	row := parse(t, "\xef\xbb\xbf"+`<?xml version="1.0" encoding="utf-8"?>`+described("<p>x</p>"))
	equal(t, "text", row.DescriptionEN, "x")
	noWarnings(t, row)
}

func TestPitfall08RawMarkupCharacters(t *testing.T) {
	for _, text := range []string{
		"<p>UDAPI & ASOCIADOS</p>", "<p>a&b</p>", "<p>&#;</p>",
		"<heading><First Embodiment</heading>", "<p>x < y</p>", "<p>a]]>b</p>", `<p a="<">x</p>`, `<p a=b>x</p>`, `<p a>x</p>`,
		"<b><i>x</b></i>", "</p>", "<!DOCTYPE x>",
	} {
		r := reject(t, described("\n"+text), ReasonNotWellFormed)
		if r.Line < 2 || r.Offset < 100 || !strings.Contains(r.Excerpt, text[:3]) {
			t.Errorf("%q: the place is wrong: %+v", text, r)
		}
	}
	for xml, message := range map[string]string{
		patent("") + "text": "text after the root element",
		patent("") + "<x/>": "a second root element <x>",
		"text" + patent(""): "text before the root element",
	} {
		equal(t, "message", reject(t, xml, ReasonNotWellFormed).Message, message)
	}
}

func TestPitfall09ControlCharacters(t *testing.T) {
	row := parse(t, described("<p>a\x02b&#2;c&#xFFFF;d\uffffe\x0bf</p><!-- a -- b --><p>g</p>"))
	equal(t, "text", row.DescriptionEN, "a b c d e f\ng")
	hasWarning(t, row, "5 control characters replaced by spaces")
	parse(t, patent("")+"\x1a\x00\x00") // the padding of old archives
}

func TestPitfall10HugeText(t *testing.T) {
	word := "hydroformylation "
	huge := described("<p>" + strings.Repeat(word, 50<<20/len(word)) + "</p><p>end</p>")
	row := parse(t, huge)
	if !row.Truncated || len(row.DescriptionEN) > 4<<20 || len(row.DescriptionEN) < 4<<20-len(word) {
		t.Errorf("truncated %v, %d bytes", row.Truncated, len(row.DescriptionEN))
	}
	if !strings.HasSuffix(row.DescriptionEN, " hydroformylation") {
		t.Errorf("not cut between words: ...%q", row.DescriptionEN[len(row.DescriptionEN)-30:])
	}
	hasWarning(t, row, "document of 52428")
	hasWarning(t, row, "description cut after 41942")

	p := NewParser(Limits{DocumentBytes: 1 << 20, FieldBytes: 10})
	small, err := p.Parse([]byte(described("<p>größere Wörter</p>")), 0)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "cut at a word", small.DescriptionEN, "größere")
	if !small.Truncated {
		t.Error("not marked as truncated")
	}
	greek := described("<p>ααααα</p>")
	for limit := len(greek) - 40; limit < len(greek); limit++ {
		row, err := NewParser(Limits{DocumentBytes: int64(limit), FieldBytes: 100}).Parse([]byte(greek), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(row.Warnings) != 1 || !row.Truncated || strings.Trim(row.DescriptionEN, "α") != "" {
			t.Errorf("document cut after %d bytes: %q %q", limit, row.DescriptionEN, row.Warnings)
		}
	}
	for limit := int64(1); limit < 12; limit++ {
		p := NewParser(Limits{DocumentBytes: 1 << 20, FieldBytes: limit})
		row, err := p.Parse([]byte(described("<p>ααααα</p>")), 0)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "cut at a character", row.DescriptionEN, strings.Repeat("α", min(int(limit)/2, 5)))
	}
}

func TestPitfall11TruncatedInput(t *testing.T) {
	whole := described(`<p num="1">x &amp; y</p><!-- c --><p><![CDATA[z]]></p>`)
	for n := len("<patent-document"); n < len(whole); n++ {
		row, r := NewParser(Limits{}).parse([]byte(whole[:n]), 0)
		if r == nil {
			t.Fatalf("a row of %q: %+v", whole[:n], row)
		}
		if r.Reason != ReasonTruncated && r.Reason != ReasonNotWellFormed {
			t.Errorf("%q: %v", whole[:n], r)
		}
	}
	r := reject(t, `<patent-document ucid="EP-1-A1"><abstract lang="EN"><p>x`, ReasonTruncated)
	equal(t, "message", r.Message, "the document ends inside <patent-document><abstract><p>")

	r = reject(t, `<patent-document>`+strings.Repeat("<p>", 100000), ReasonTruncated)
	equal(t, "deep", r.Message, "the document ends inside <patent-document><p><p>...<p><p><p>")
	r = reject(t, "<"+strings.Repeat("ä", 100000)+">", ReasonUnsupportedRoot)
	if len(r.Message) > 100 || !utf8.ValidString(r.Message) {
		t.Errorf("message %q", r.Message)
	}

	row, err := NewParser(Limits{}).Parse([]byte(`<patent-document ucid="EP-1-A1"><abstract lang="EN"><p>one two thr`), 5000)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "cut on purpose", row.AbstractEN, "one two")
	if !row.Truncated {
		t.Error("not marked as truncated")
	}
	hasWarning(t, row, "document of 5000 bytes cut after 66")
}

func TestPitfall12VeryLongLine(t *testing.T) {
	var inventors strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&inventors, `<inventor format="epo"><addressbook><name>DOE %d</name></addressbook></inventor>`, i)
	}
	row := parse(t, patent(`<bibliographic-data><parties><inventors>`+inventors.String()+`</inventors></parties></bibliographic-data>`))
	if len(row.Inventors) != 5000 {
		t.Errorf("%d inventors", len(row.Inventors))
	}
}

func TestPitfall13XMLNotHTML(t *testing.T) {
	row := parse(t, described(`<p>A<sub/>B</p><P>C</P><p/><p>D</p>`))
	equal(t, "text", row.DescriptionEN, "AB\nC\nD")
}

func TestPitfall14NamespacePrefixes(t *testing.T) {
	row := parse(t, described(`<p>E=<st32:f>mc<st32:sup>2</st32:sup></st32:f></p>`))
	equal(t, "undeclared prefix", row.DescriptionEN, "E=mc2")
	row = parse(t, technical(`<citations><patent-citations><patcit ucid="EP-1-A1"><sources><source name="SEA"/></sources>`+
		`<cit:rel-passage xmlns:cit="http://example.org/cit/"><cit:passage><cit:para>12</cit:para></cit:passage><cit:category>Y</cit:category></cit:rel-passage>`+
		`</patcit></patent-citations></citations>`))
	equal(t, "inline prefix", row.Citations[0].Category, "Y")
}
