package patentxml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

// usGrant is a small grant of the USPTO with the number and kind of a publication, bib in its bibliographic data and
// content behind them.
func usGrant(number, kind, bib, content string) string {
	return `<us-patent-grant lang="EN" dtd-version="v4.5 2014-04-03" file="US0-20150106.XML" status="PRODUCTION" id="us-patent-grant" country="US" date-produced="20141219" date-publ="20150106">` +
		`<us-bibliographic-data-grant><publication-reference><document-id><country>US</country><doc-number>` + number + `</doc-number><kind>` + kind + `</kind><date>20150106</date></document-id></publication-reference>` +
		`<application-reference appl-type="utility"><document-id><country>US</country><doc-number>13648029</doc-number><date>20121009</date></document-id></application-reference>` +
		bib + `</us-bibliographic-data-grant>` + content + `</us-patent-grant>`
}

func TestUSNumbers(t *testing.T) {
	for _, c := range []struct{ number, kind, want string }{
		{"08926509", "B2", "US-8926509-B2"}, {"D0700000", "S1", "US-D700000-S1"}, {"D0652607", "S", "US-D652607-S"},
		{"PP017123", "P2", "US-PP17123-P2"}, {"RE042370", "E1", "US-RE42370-E1"}, {"H0002190", "H1", "US-H2190-H1"}, {"11000000", "B1", "US-11000000-B1"},
	} {
		row := parse(t, usGrant(c.number, c.kind, "", ""))
		equal(t, "ucid of "+c.number, row.UCID, c.want)
		equal(t, "patent of "+c.number, row.PatentID, strings.TrimSuffix(c.want, "-"+c.kind))
		equal(t, "kind", row.Kind, c.kind)
		equal(t, "published", row.PublicationDate.String(), "2015-01-06")
		equal(t, "filed", row.ApplicationDate.String(), "2012-10-09")
		equal(t, "produced", row.DateProduced.String(), "2014-12-19")
		equal(t, "the production's status is not the document's", row.Status, "")
		equal(t, "dialect", row.Dialect, "uspto-v4")
		noWarnings(t, row)
	}
	row := parse(t, strings.NewReplacer("us-patent-grant", "us-patent-application", "-data-grant", "-data-application").Replace(usGrant("20210049351", "A1", "", "")))
	equal(t, "application", row.UCID, "US-20210049351-A1")
	reject(t, `<us-patent-grant country="US" file="US08926509-20150106.XML"/>`, ReasonNoUCID)
	reject(t, `<us-patent-grant><p>text</p></us-patent-grant>`, ReasonNoUCID)
}

func TestUSPriorities(t *testing.T) {
	related := func(name, day string) string {
		return `<` + name + `><relation><parent-doc><document-id><country>US</country><doc-number>1</doc-number><date>` + day + `</date></document-id>` +
			`<parent-grant-document><document-id><date>19000101</date></document-id></parent-grant-document></parent-doc>` +
			`<child-doc><document-id><date>19000102</date></document-id></child-doc></relation></` + name + `>`
	}
	const provisional = `<us-provisional-application><document-id><country>US</country><doc-number>60968023</doc-number><date>20070824</date></document-id></us-provisional-application>`
	for _, c := range []struct{ name, bib, want string }{
		{"none: the filing day", "", "2012-10-09"},
		{"abroad", `<priority-claims><priority-claim sequence="01" kind="national"><country>JP</country><doc-number>2</doc-number><date>20080605</date></priority-claim></priority-claims>`, "2008-06-05"},
		{"provisional", `<us-related-documents>` + provisional + `</us-related-documents>`, "2007-08-24"},
		{"continuations", `<us-related-documents>` + related("continuation", "20110630") + related("continuation-in-part", "20081017") + `</us-related-documents>`, "2008-10-17"},
		{"division", `<us-related-documents>` + related("division", "20010606") + `<related-publication><document-id><date>19990101</date></document-id></related-publication></us-related-documents>`, "2001-06-06"},
		{"reissue", `<us-related-documents>` + related("reissue", "20010606") + `</us-related-documents>`, "2001-06-06"},
		{"reexamination claims nothing", `<us-related-documents>` + related("reexamination", "20010606") + `</us-related-documents>`, "2012-10-09"},
	} {
		equal(t, c.name, parse(t, usGrant("1", "B2", c.bib, "")).EarliestPriorityDate.String(), c.want)
	}
}

// splitXML is a classification as the USPTO takes it apart.
func splitXML(element, section, class, subclass, group, subgroup, tail string) string {
	return `<` + element + `>` + tail + `<section>` + section + `</section><class>` + class + `</class><subclass>` + subclass +
		`</subclass><main-group>` + group + `</main-group><subgroup>` + subgroup + `</subgroup></` + element + `>`
}

func TestUSClassification(t *testing.T) {
	const tail = `<ipc-version-indicator><date>20060101</date></ipc-version-indicator><classification-level>A</classification-level><symbol-position>F</symbol-position>` +
		`<classification-value>I</classification-value><action-date><date>20150106</date></action-date><generating-office><country>US</country></generating-office>` +
		`<classification-status>B</classification-status><classification-data-source>H</classification-data-source>`
	row := parse(t, usGrant("1", "B2", `<classifications-ipcr>`+splitXML("classification-ipcr", "A", "61", "K", "31", "00", tail)+
		splitXML("classification-ipcr", "G", "6", "F", "15", "163", "")+splitXML("classification-ipcr", "H", "04", "L", "", "", "")+
		splitXML("classification-ipcr", "A", "61", "K", "2039", "", "")+splitXML("classification-ipcr", "A", "xx", "K", "1", "00", "")+`<classification-ipcr/></classifications-ipcr>`+
		`<classification-locarno><edition>9</edition><main-classification>0201</main-classification></classification-locarno>`+
		`<classification-national><country>US</country><main-classification>G06F  1/00</main-classification></classification-national>`, ""))
	want := []schemas.Classification{
		{Symbol: "A61K 31/00", Section: "A", Class: "A61", Subclass: "A61K", MainGroup: "31", Subgroup: "00", Version: "20060101", Level: "A", Position: "F", Value: "I", Source: "H"},
		{Symbol: "G06F 15/163", Section: "G", Class: "G06", Subclass: "G06F", MainGroup: "15", Subgroup: "163"},
		{Symbol: "H04L", Section: "H", Class: "H04", Subclass: "H04L"},
		{Symbol: "A61K 2039/00", Section: "A", Class: "A61", Subclass: "A61K", MainGroup: "2039", Subgroup: "00"},
	}
	if diff := cmp.Diff(want, row.IPC); diff != "" {
		t.Error(diff)
	}
	hasWarning(t, row, `1 unreadable classification codes left out, the first: "AxxK 1/00"`)

	row = parse(t, usGrant("1", "B2", `<classification-ipc><edition>7</edition><main-classification>G06F015/00</main-classification><further-classification>A61B005/00</further-classification></classification-ipc>`, ""))
	if len(row.IPC) != 2 || row.IPC[0].Symbol != "G06F 15/00" || row.IPC[0].Position != "F" || row.IPC[0].Version != "7" || row.IPC[1].Symbol != "A61B 5/00" {
		t.Errorf("before 2006: %+v", row.IPC)
	}

	const cpcTail = `<cpc-version-indicator><date>20130101</date></cpc-version-indicator><symbol-position>L</symbol-position><classification-value>A</classification-value>`
	row = parse(t, usGrant("1", "B2", `<classifications-cpc><main-cpc>`+splitXML("classification-cpc", "A", "61", "B", "5", "0205", "")+`</main-cpc><further-cpc>`+
		splitXML("classification-cpc", "Y", "02", "E", "10", "50", cpcTail)+`<combination-set><group-number>1</group-number><combination-rank><rank-number>1</rank-number>`+
		splitXML("classification-cpc", "A", "61", "B", "5", "0024", "")+`</combination-rank></combination-set></further-cpc></classifications-cpc>`, ""))
	equal(t, "cpc", strings.Join(row.CPCSubclasses, " "), "A61B Y02E")
	if len(row.CPC) != 3 || row.CPC[1].Value != "N" || row.CPC[1].Position != "L" || row.CPC[2].Symbol != "A61B 5/0024" {
		t.Errorf("%+v", row.CPC)
	}
	equal(t, "still the USPTO's", row.Dialect, "uspto-v4")
}

func TestUSCitations(t *testing.T) {
	cite := func(element, country, number, kind, category string) string {
		return `<` + element + `><patcit num="00001"><document-id><country>` + country + `</country><doc-number>` + number + `</doc-number><kind>` + kind +
			`</kind><name>Doe et al.</name><date>20101100</date></document-id></patcit><category>` + category + `</category>` +
			`<classification-national><country>US</country><main-classification>714  4</main-classification></classification-national></` + element + `>`
	}
	row := parse(t, usGrant("1", "B2", `<us-references-cited>`+cite("us-citation", "US", "5793966", "A", "cited by examiner")+cite("us-citation", "US", "2007/0204872", "A1", "cited by applicant")+
		cite("us-citation", "EP", "0 906 947", "A1", "cited by other")+cite("us-citation", "WO", "WO 89/02682", "A1", "cited by third party")+cite("us-citation", "US", "11/123,456", "", "cited by applicant")+
		`<us-citation><nplcit num="2"><othercit>Doe, Rods.</othercit></nplcit><category>cited by examiner</category></us-citation></us-references-cited>`+
		`<us-field-of-classification-search><classification-national><country>US</country><main-classification>None</main-classification></classification-national></us-field-of-classification-search>`,
		`<description><p>see <patcit><text>EP 7</text></patcit></p></description>`))
	want := []schemas.Citation{
		{UCID: "US-5793966-A", PatentID: "US-5793966", Source: "EXA"},
		{UCID: "US-20070204872-A1", PatentID: "US-20070204872", Source: "APP"},
		{UCID: "EP-0906947-A1", PatentID: "EP-0906947", Source: "other"},
		{UCID: "WO-1989002682-A1", PatentID: "WO-1989002682", Source: "third party"},
	}
	if diff := cmp.Diff(want, row.Citations); diff != "" {
		t.Error(diff)
	}
	hasWarning(t, row, `1 citations without a readable document id left out, the first: "US 11/123,456"`)

	row = parse(t, usGrant("1", "B2", `<references-cited>`+cite("citation", "US", "RE36154", "E", "cited by other")+`</references-cited>`, ""))
	if diff := cmp.Diff([]schemas.Citation{{UCID: "US-RE36154-E", PatentID: "US-RE36154", Source: "other"}}, row.Citations); diff != "" {
		t.Errorf("before 2013: %s", diff)
	}
}

func TestUSParties(t *testing.T) {
	const jane = `<addressbook><last-name>Doe</last-name><first-name>Jane</first-name><address><country>US</country></address></addressbook>`
	const company = `<addressbook><orgname>Rods, Inc.</orgname><role>02</role></addressbook>`
	const agents = `<agents><agent><addressbook><orgname>Agent LLP</orgname></addressbook></agent></agents>`
	for _, c := range []struct{ name, bib, applicants, inventors string }{
		{"since 2013", `<us-parties><us-applicants><us-applicant app-type="applicant" applicant-authority-category="assignee">` + company + `</us-applicant></us-applicants><inventors><inventor>` + jane + `</inventor></inventors>` + agents + `</us-parties>`,
			"Rods, Inc.", "Doe, Jane"},
		{"persons apply for an assignee", `<us-parties><us-applicants><us-applicant app-type="applicant">` + jane + `</us-applicant></us-applicants><inventors><inventor>` + jane + `</inventor></inventors></us-parties><assignees><assignee>` + company + `</assignee></assignees>`,
			"Rods, Inc.", "Doe, Jane"},
		{"before 2013", `<parties><applicants><applicant app-type="applicant-inventor">` + jane + `</applicant></applicants>` + agents + `</parties><assignees><assignee><orgname>Rods, Inc.</orgname><role>02</role></assignee></assignees>`,
			"Rods, Inc.", "Doe, Jane"},
		{"an inventor alone", `<parties><applicants><applicant app-type="applicant-inventor">` + jane + `</applicant></applicants></parties>`, "Doe, Jane", "Doe, Jane"},
		{"a dead inventor", `<us-parties><inventors><us-deceased-inventor>` + jane + `</us-deceased-inventor></inventors></us-parties>`, "", "Doe, Jane"},
	} {
		row := parse(t, usGrant("1", "B2", c.bib, ""))
		equal(t, c.name+": applicants", strings.Join(row.Applicants, "; "), c.applicants)
		equal(t, c.name+": inventors", strings.Join(row.Inventors, "; "), c.inventors)
	}
}

func TestUSTexts(t *testing.T) {
	row := parse(t, usGrant("PP017123", "P2", `<invention-title id="d2e53">Rose plant named &#x2018;<i>Rod</i>&#x2019;</invention-title>`,
		`<abstract id="abstract"><p id="p-0001" num="0000">A rose.</p></abstract><drawings><figure><img file="f.TIF"/></figure></drawings>`+
			`<description id="description"><?RELAPP description="Other Patent Relations" end="lead"?><heading level="1">FIELD</heading><p>Roses<?RELAPP end="tail"?></p>`+
			`<description-of-drawings><heading>DRAWINGS</heading><p><figref idref="D1">FIG. 1</figref> shows it.</p></description-of-drawings>`+
			`<summary-of-invention>x<detailed-description>y</detailed-description></summary-of-invention>`+
			`<p>E<?in-line-formulae description="In-line Formulae" end="lead"?>=mc<sup>2</sup><maths><math><mi>a</mi><mo>=</mo><mn>1</mn></math></maths>`+
			`<tables><table><tgroup><tbody><row><entry>TABLE 1</entry></row><row><entry>a</entry><entry>b</entry></row></tbody></tgroup></table></tables></p></description>`+
			`<us-claim-statement>What is claimed is:</us-claim-statement><claims id="claims"><claim num="00001"><claim-text>1. A rose:<claim-text>with a thorn.</claim-text></claim-text></claim>`+
			`<claim num="00002"><claim-text>2. The rose of <claim-ref idref="CLM-00001">claim 1</claim-ref>.</claim-text></claim></claims><us-chemistry idref="C1" cdx-file="x.CDX"/><us-math><img/></us-math>`))
	equal(t, "title", row.TitleEN, "Rose plant named ‘Rod’")
	equal(t, "abstract", row.AbstractEN, "A rose.")
	equal(t, "description", row.DescriptionEN, "FIELD\nRoses\nDRAWINGS\nFIG. 1 shows it.\nx\ny\nE=mc2a=1 TABLE 1 a b")
	equal(t, "claims", row.ClaimsEN, "1. A rose: with a thorn.\n2. The rose of claim 1.")
	equal(t, "language", row.Lang, "en")
	noWarnings(t, row)
}
