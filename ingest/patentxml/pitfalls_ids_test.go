package patentxml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

// Pitfalls of identifiers, classes, parties and dates.

func TestPitfall27ApplicationNumberIsNotThePublication(t *testing.T) {
	row := parse(t, `<patent-document id="15067369" ucid="US-09784948-B2" lang="EN"><bibliographic-data>`+
		`<publication-reference ucid="US-1-A"><document-id><country>US</country><doc-number>09784948</doc-number><kind>B2</kind><date>20171010</date></document-id></publication-reference>`+
		`<application-reference ucid="US-15067369-A"><document-id><country>US</country><doc-number>15067369</doc-number><kind>A</kind><date>20160311</date></document-id></application-reference>`+
		`<related-documents><relation type="division"><parent-doc ucid="US-1-B2"><document-id><doc-number>1</doc-number></document-id></parent-doc></relation></related-documents>`+
		`</bibliographic-data></patent-document>`)
	equal(t, "ucid as written", row.UCID, "US-09784948-B2")
	equal(t, "patent", row.PatentID, "US-9784948")
	equal(t, "kind", row.Kind, "B2")
	equal(t, "published", row.PublicationDateRaw, "20171010")
	equal(t, "filed", row.ApplicationDateRaw, "20160311")

	row = parse(t, `<patent-document><bibliographic-data><application-reference><document-id><country>US</country><doc-number>9</doc-number></document-id></application-reference>`+
		`<publication-reference><document-id format="original"><country>EP</country><doc-number>50001</doc-number><kind>A2</kind></document-id>`+
		`<document-id format="epo"><country>XX</country><doc-number>7.0</doc-number></document-id></publication-reference></bibliographic-data></patent-document>`)
	equal(t, "from the publication-reference", row.UCID, "EP-50001-A2")
	equal(t, "canonical", row.PatentID, "EP-0050001")
	row = parse(t, `<patent-document ucid="rubbish" country="EP" doc-number="0050001"/>`)
	equal(t, "from the root's parts", row.UCID, "EP-0050001")
	reject(t, `<patent-document ucid="rubbish" country="EP"/>`, ReasonNoUCID)
	reject(t, `<patent-document/>`, ReasonNoUCID)
}

func TestPitfall28ZerosAndLetters(t *testing.T) {
	for ucid, want := range map[string]string{
		"US-08926509-B2": "US-8926509", "US-D0939807-S1": "US-D939807", "US-D668832-S": "US-D668832", "US-H1-H": "US-H1",
		"EP-0050001-A2": "EP-0050001", "EP-3-A1": "EP-0000003", "WO-1978000001-A1": "WO-1978000001", "IT-MI20011484-A1": "IT-MI20011484",
	} {
		row := parse(t, `<patent-document ucid="`+ucid+`"/>`)
		equal(t, "ucid", row.UCID, ucid)
		equal(t, ucid, row.PatentID, want)
		equal(t, "number of "+ucid, row.Country+"-"+row.DocNumber, want)
	}
}

func TestPitfall29IPCSpelling(t *testing.T) {
	for code, want := range map[string]string{
		"A61K  31/00        20060101AFI20051008RMEP        ": "A61K 31/00",
		"A61K  31/00": "A61K 31/00", "A61K31/00": "A61K 31/00", "A61K 31/00": "A61K 31/00", "A61K031/00": "A61K 31/00",
		"\n  a61k 31/00 \n": "A61K 31/00", "A61B005/00": "A61B 5/00", "2C 07D 307/12 A": "C07D 307/12", " 7C 07C  29/44   A": "C07C 29/44",
		"C 07D 4 3/02": "C07D 403/02", "A47L 700": "A47L 7/00", "A61F  537": "A61F 5/37", "C07D40302": "C07D 403/02",
		"A61K 31415": "A61K 31/415", "K63B21:055": "K63B 21/055", "C07C  51/373+59/147": "C07C 51/373", "A61K2039/00": "A61K 2039/00",
		"A61K2039/00        20060101": "A61K 2039/00", "H01L  27/112 ": "H01L 27/112", "A61K": "A61K", "A61K            20060101S": "A61K",
		"A61K 31": "A61K 31/00", "A63B  69/00N4B": "A63B 69/00", "B05B  13/0257      20130101": "B05B 13/0257",
	} {
		sym, _, ok := parseSymbol([]byte(code))
		if !ok || sym.text != want {
			t.Errorf("%q: got %q %v, want %q", code, sym.text, ok, want)
		}
	}
	for _, code := range []string{"", " ", "A61F  BAD", "Int.Cl.", "A61", "A6", "A", "A61K /00", "A61K 31/", "A61K 31/0", "A61K 31/0000000",
		"A61K 00/00", "A61K 12345/00", "6A1K 31/00", "A61K 3 1 2/00", "ÄA61K"} {
		if sym, _, ok := parseSymbol([]byte(code)); ok {
			t.Errorf("%q: got %q, want none", code, sym.text)
		}
	}
	row := parse(t, technical(`<classifications-ipcr><classification-ipcr>A61F  BAD</classification-ipcr><classification-ipcr/>`+
		`<classification-ipcr>Int.Cl.</classification-ipcr><classification-ipcr>K63B21:055</classification-ipcr><classification-ipcr>A61K  31/00</classification-ipcr></classifications-ipcr>`))
	hasWarning(t, row, `3 unreadable classification codes left out, the first: "A61F BAD"`)
	if len(row.IPC) != 1 || row.IPC[0].Symbol != "A61K 31/00" {
		t.Errorf("%+v", row.IPC)
	}
}

func TestPitfall29IPCFields(t *testing.T) {
	const squeezed, short = "A61K 31/00 20060101A N20051008RMEP", "<edition>7</edition><main-classification>A61K  31/00</main-classification><further-classification>A61K  31/02</further-classification>"
	full := schemas.Classification{Symbol: "A61K 31/00", Section: "A", Class: "A61", Subclass: "A61K", MainGroup: "31", Subgroup: "00"}
	for xml, want := range map[string]schemas.Classification{
		`<classifications-ipcr><classification-ipcr>A61K  31/00        20060101AFI20051008RMEP        </classification-ipcr></classifications-ipcr>`: {
			Version: "20060101", Level: "A", Position: "F", Value: "I", Source: "M"},
		`<classifications-ipcr><classification-ipcr>A61K  31/00        20060101C N20051008RHEP        </classification-ipcr></classifications-ipcr>`: {
			Version: "20060101", Level: "C", Value: "N", Source: "H"},
		`<classifications-ipcr><classification-ipcr>A61K  31/00                A I20051008RMEP        </classification-ipcr></classifications-ipcr>`: {
			Level: "A", Value: "I", Source: "M"},
		`<classifications-ipcr><classification-ipcr>` + squeezed + `</classification-ipcr></classifications-ipcr>`: {
			Version: "20060101", Level: "A", Value: "N", Source: "M"},
		`<classification-ipc>` + short + `</classification-ipc>`: {Version: "7", Position: "F"},
	} {
		want.Symbol, want.Section, want.Class, want.Subclass, want.MainGroup, want.Subgroup =
			full.Symbol, full.Section, full.Class, full.Subclass, full.MainGroup, full.Subgroup
		row := parse(t, technical(xml))
		if diff := cmp.Diff(want, row.IPC[0]); diff != "" {
			t.Errorf("%s\n%s", xml, diff)
		}
	}
	row := parse(t, technical(`<classifications-cpc><classification-cpc scheme="CPCI">Y02E  10/50        20130101 LA20220315BHEP        </classification-cpc></classifications-cpc>`))
	want := schemas.Classification{Symbol: "Y02E 10/50", Section: "Y", Class: "Y02", Subclass: "Y02E", MainGroup: "10", Subgroup: "50",
		Version: "20130101", Position: "L", Value: "N", Source: "H"}
	if diff := cmp.Diff([]schemas.Classification{want}, row.CPC); diff != "" {
		t.Error(diff)
	}
	row = parse(t, technical(`<classifications-cpc><classification-cpc>Y02E 10/50 20130101 LA20220315BHEP</classification-cpc></classifications-cpc>`))
	if diff := cmp.Diff([]schemas.Classification{want}, row.CPC); diff != "" {
		t.Error(diff)
	}
	equal(t, "cpc subclasses", strings.Join(row.CPCSubclasses, " "), "Y02E")
}

func TestPitfall30DuplicateCodesAndPeople(t *testing.T) {
	row := parse(t, patent(`<bibliographic-data><technical-data>`+
		`<classification-ipc><edition>6</edition><main-classification>G01B   1/00</main-classification></classification-ipc><classifications-ipcr>`+
		`<classification-ipcr>H01L  27/10        20060101C I20051008RMEP        </classification-ipcr>`+
		`<classification-ipcr>H01L  27/10        20060101A I20051008RMEP        </classification-ipcr>`+
		`<classification-ipcr>G01B   1/00        20060101A I20051008RMEP        </classification-ipcr>`+
		`<classification-ipcr>H01L  27/10        20060101CFI20051220RMJP        </classification-ipcr></classifications-ipcr>`+
		`</technical-data><parties><inventors>`+
		`<inventor format="original"><addressbook><last-name>Doe, Jane</last-name><address><city>X</city></address></addressbook></inventor>`+
		`<inventor format="epo"><addressbook><name>DOE JANE</name></addressbook></inventor><inventor format="epo"><addressbook><name> DOE  JANE </name></addressbook></inventor>`+
		`<inventor format="epo"><addressbook><name>ROE &amp; CO</name></addressbook></inventor><inventor format="intermediate"><addressbook><name>DOE, JANE</name></addressbook></inventor></inventors>`+
		`<assignees><assignee format="original"><addressbook><last-name>Doe</last-name><first-name>Jane</first-name></addressbook></assignee></assignees>`+
		`<agents><agent><addressbook><name>Agent</name></addressbook></agent></agents></parties></bibliographic-data>`))
	var got []string
	for _, c := range row.IPC {
		got = append(got, c.Symbol+" "+c.Version+" "+c.Level+c.Position)
	}
	equal(t, "codes", strings.Join(got, ", "), "G01B 1/00 20060101 AF, H01L 27/10 20060101 AF")
	equal(t, "subclasses", strings.Join(row.IPCSubclasses, " "), "G01B H01L")
	equal(t, "inventors", strings.Join(row.Inventors, "; "), "DOE JANE; ROE & CO")
	equal(t, "the owner stands in for the applicant", strings.Join(row.Applicants, "; "), "Doe, Jane")
}

func TestPitfall31SameNameOtherParent(t *testing.T) {
	row := parse(t, patent(`<bibliographic-data><technical-data>`+
		`<classification-ipc><main-classification>H01R   4/24</main-classification></classification-ipc>`+
		`<classification-national country="US"><main-classification>339097P</main-classification><further-classification>G06F  1/00</further-classification></classification-national>`+
		`<classification-ecla><classification-symbol scheme="EC">H01R   4/24B</classification-symbol></classification-ecla>`+
		`<citations><patent-citations><patcit ucid="EP-0000005-A1"><document-id><country>EP</country><doc-number>5</doc-number><date>19990101</date></document-id></patcit></patent-citations>`+
		`<non-patent-citations><nplcit><text>Book</text></nplcit></non-patent-citations></citations>`+
		`<field-of-search><classification-ipcr>A01B  1/00</classification-ipcr><patcit ucid="EP-9-A1"/></field-of-search></technical-data></bibliographic-data>`+
		`<description lang="EN"><p>see <patcit ucid="EP-7-A1"><text>EP 7</text></patcit></p></description>`))
	if len(row.IPC) != 1 || row.IPC[0].Symbol != "H01R 4/24" {
		t.Errorf("ipc: %+v", row.IPC)
	}
	want := []schemas.Citation{{UCID: "EP-0000005-A1", PatentID: "EP-0000005"}}
	if diff := cmp.Diff(want, row.Citations); diff != "" {
		t.Error(diff)
	}
	equal(t, "publication date", row.PublicationDateRaw, "20000517")
	noWarnings(t, row)
}

func TestPitfall32OldAndNewPathsOfOneFeed(t *testing.T) {
	old := parse(t, technical(`<classification-ipc><edition>7</edition><main-classification>A61K  31/00</main-classification><additional-info>A61K  31/02</additional-info>`+
		`<linked-indexing-code-group><main-linked-indexing-code>C08L 101:00</main-linked-indexing-code><sub-linked-indexing-code>C08L  23:02</sub-linked-indexing-code></linked-indexing-code-group></classification-ipc>`))
	recent := parse(t, technical(`<classifications-ipcr><classification-ipcr>A61K  31/00        20060101AFI20051008RMEP        </classification-ipcr></classifications-ipcr>`))
	equal(t, "old", strings.Join(old.IPCSubclasses, " "), "A61K C08L")
	equal(t, "recent", strings.Join(recent.IPCSubclasses, " "), "A61K")
	if len(old.IPC) != 4 || old.IPC[2].Symbol != "C08L 101/00" {
		t.Errorf("%+v", old.IPC)
	}
}

func TestPitfall32CitationSources(t *testing.T) {
	row := parse(t, technical(`<citations><patent-citations>`+
		`<patcit ucid="US-1-A"><sources><source name="APP"/><source name="SEA" category="A"/><source name="OPP" category="X,P"/></sources></patcit>`+
		`<patcit ucid="US-2-A"><sources><source name="SEA" category="DA"/></sources><rel-passage><passage>1</passage><category>Y</category></rel-passage></patcit>`+
		`<patcit ucid="US-2-A"><sources><source name="EXA" category="A"/></sources></patcit>`+
		`<patcit><document-id><country>JP</country><doc-number>3</doc-number><kind>A</kind></document-id></patcit>`+
		`<patcit><document-id><country>JP</country></document-id></patcit><patcit ucid="?"/></patent-citations></citations>`))
	want := []schemas.Citation{
		{UCID: "US-1-A", PatentID: "US-1", Source: "OPP", Category: "X,P"},
		{UCID: "US-2-A", PatentID: "US-2", Source: "SEA", Category: "Y"},
		{UCID: "JP-3-A", PatentID: "JP-3"},
	}
	if diff := cmp.Diff(want, row.Citations); diff != "" {
		t.Error(diff)
	}
	hasWarning(t, row, "2 citations without a readable document id left out")
}

func TestPitfall33SeveralKindsOfOnePatent(t *testing.T) {
	p := NewParser(Limits{})
	for _, order := range [][]string{{"A1", "A3", "B1"}, {"B1", "A1", "A3"}} {
		for _, kind := range order {
			row, err := p.Parse([]byte(`<patent-document ucid="EP-1234567-`+kind+`" date-produced="20100220" status="c" family-id="9"/>`), 0)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "one patent", row.PatentID, "EP-1234567")
			equal(t, "its document", row.Kind, kind)
			equal(t, "produced", row.DateProduced.String(), "2010-02-20")
			equal(t, "status", row.Status, "corrected")
			equal(t, "family", row.FamilyID, "9")
		}
	}
}

func TestPitfall34AlienFiles(t *testing.T) {
	for content, reason := range map[string]string{
		"":                                  ReasonNoRoot,
		" \n":                               ReasonNoRoot,
		"EP-1000001-A1 some abstract":       ReasonNoRoot,
		"\x00\x05\x16\x07\x00Mac OS X":      ReasonNoRoot,
		"<?xml version='1.0'?>":             ReasonNoRoot,
		"<!ELEMENT p (#PCDATA)>":            ReasonNotWellFormed,
		"<Application-body/>":               ReasonUnsupportedRoot,
		"<html><body><p>gone</body></html>": ReasonUnsupportedRoot,
		"PK\x03\x04\x14\x00<\x00\x00":       ReasonNotWellFormed,
		"<!DOCTYPE patent-document [ <!-- ": ReasonTruncated,
	} {
		reject(t, content, reason)
	}
}

func TestPitfall35Dates(t *testing.T) {
	date := func(root, application string, priorities ...string) *schemas.Document {
		claims := ""
		for _, p := range priorities {
			claims += `<priority-claim><document-id><date>` + p + `</date></document-id></priority-claim>`
		}
		return parse(t, `<patent-document ucid="EP-1-A1" date="`+root+`"><bibliographic-data>`+
			`<application-reference><document-id format="original"><doc-number>1.0</doc-number></document-id><document-id format="epo"><date>`+application+`</date></document-id></application-reference>`+
			`<priority-claims>`+claims+`</priority-claims></bibliographic-data></patent-document>`)
	}
	for _, raw := range []string{"20000600", "19000100", "0", "", "2000"} {
		row := date(raw, raw, raw)
		if row.PublicationDate != nil || row.ApplicationDate != nil || row.EarliestPriorityDate != nil {
			t.Errorf("%q became a day", raw)
		}
		equal(t, "kept as written", row.PublicationDateRaw+row.ApplicationDateRaw+row.EarliestPriorityDateRaw, raw+raw+raw)
	}
	row := date("20030122", "19980729", "19970730", "19970729", "19970000")
	equal(t, "published", row.PublicationDate.String(), "2003-01-22")
	equal(t, "filed", row.ApplicationDate.String(), "1998-07-29")
	equal(t, "earliest priority", row.EarliestPriorityDate.String(), "1997-07-29")
	equal(t, "as written", row.EarliestPriorityDateRaw, "19970729")
	row = date("20030122", "19980729")
	equal(t, "no claim: the filing day", row.EarliestPriorityDate.String(), "1998-07-29")
}

func TestPitfall36OneParagraphWithMarkup(t *testing.T) {
	row := parse(t, described(`<p num="1">A <b>rod</b>.</p>`))
	equal(t, "text", row.DescriptionEN, "A rod.")
	if row.TextBytes != int64(len("A rod.")) {
		t.Errorf("text bytes %d", row.TextBytes)
	}
}
