package patentxml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

// epPatent wraps content into the root of a small publication of the EPO.
func epPatent(content string) string {
	return `<ep-patent-document id="EP99123456A1" file="99123456.xml" lang="en" country="EP" doc-number="0050001" kind="A1" date-publ="19820421" status="n" dtd-version="ep-patent-document-v1-4">` +
		content + `</ep-patent-document>`
}

// sdobi is a publication of the EPO with bibliographic data.
func sdobi(content string) string { return epPatent(`<SDOBI lang="en">` + content + `</SDOBI>`) }

func TestEPNumberIsThePublications(t *testing.T) {
	row := parse(t, sdobi(`<B100><B110>0050002</B110><B130>B9</B130><B140><date>19990101</date></B140><B190>EP</B190></B100>`+
		`<B200><B210>99123456.7</B210><B220><date>19810611</date></B220><B240><B241><date>19990708</date></B241></B240></B200>`+
		`<B600><B620><parent><pdoc><dnum><anum>98000001.1</anum><pnum>0000009</pnum></dnum><date>19800101</date></pdoc></parent></B620></B600>`+
		`<B800><B870><B871><dnum><pnum>WO1999000001</pnum></dnum><date>19980101</date></B871></B870></B800>`))
	equal(t, "ucid", row.UCID, "EP-0050001-A1")
	equal(t, "patent", row.PatentID, "EP-0050001")
	equal(t, "published", row.PublicationDateRaw, "19820421")
	equal(t, "filed", row.ApplicationDateRaw, "19810611")
	equal(t, "no priority: the filing day", row.EarliestPriorityDateRaw, "19810611")
	equal(t, "status", row.Status, "new")
	equal(t, "dialect", row.Dialect, "epo-st36")
	noWarnings(t, row)

	row = parse(t, `<ep-patent-document lang="de"><SDOBI><B100><B110>50002</B110><B130>B9</B130><B140><date>19990101</date></B140><B190>EP</B190></B100></SDOBI></ep-patent-document>`)
	equal(t, "from the B tags", row.UCID, "EP-0050002-B9")
	equal(t, "their day", row.PublicationDate.String(), "1999-01-01")
	reject(t, `<ep-patent-document id="EP99123456A1" country="EP" kind="A1"/>`, ReasonNoUCID)
}

func TestEPPriorities(t *testing.T) {
	row := parse(t, sdobi(`<B200><B220><date>19910101</date></B220></B200><B300><B310>9</B310><B320><date>19910426</date></B320><B330><ctry>GB</ctry></B330>`+
		`<B310>8</B310><B320><date>19901204</date></B320><B330><ctry>GB</ctry></B330></B300>`))
	equal(t, "earliest", row.EarliestPriorityDate.String(), "1990-12-04")
}

func TestEPTitles(t *testing.T) {
	row := parse(t, sdobi(`<B500><B540><B541>de</B541><B542>STAB AUS H<sub>2</sub>O</B542><B541> EN </B541><B542>ROD OF H<sub>2</sub>O</B542>`+
		`<B541>fr</B541><B542>TIGE</B542><B541>it</B541><B542>ASTA</B542></B540></B500>`))
	equal(t, "en", row.TitleEN, "ROD OF H2O")
	equal(t, "de", row.TitleDE, "STAB AUS H2O")
	equal(t, "fr", row.TitleFR, "TIGE")
	if diff := cmp.Diff([]schemas.OtherText{{Section: "title", Lang: "it", Text: "ASTA"}}, row.OtherTexts); diff != "" {
		t.Error(diff)
	}
	row = parse(t, sdobi(`<B500><B540><B541>de</B541><B542/><B542>ROD</B542></B540></B500>`))
	equal(t, "a language is of one title", row.TitleEN, "ROD")
	equal(t, "not of the next", row.TitleDE, "")
}

func TestEPClassification(t *testing.T) {
	codes := func(xml string) (*schemas.Document, string) {
		row := parse(t, sdobi(`<B500>`+xml+`</B500>`))
		var got []string
		for _, c := range row.IPC {
			got = append(got, strings.TrimRight(c.Symbol+"|"+c.Version+"|"+c.Level+c.Position+c.Value+c.Source, "|"))
		}
		return row, strings.Join(got, ", ")
	}
	_, got := codes(`<B510><B516>2</B516><B511>2C 07D 307/12 A</B511><B512>2C 07D 4 3/12 B</B512><B513>2A 01N 43/08 -</B513><B515>C08L101:00</B515><B517EP>// A01N43/08</B517EP></B510>`)
	equal(t, "before 2006", got, "C07D 307/12|2|F, C07D 403/12|2, A01N 43/08|2, C08L 101/00|2")
	_, got = codes(`<B510><B516>7</B516><B511> 7B 22D  29/00   A</B511><B512>Int.Cl.</B512></B510>`)
	equal(t, "in columns", got, "B22D 29/00|7|F")
	_, got = codes("<B510EP><classification-ipcr sequence=\"1\"><text>A61K  31/5383      20060101AFI20050425BHEP        </text></classification-ipcr>\n" +
		"<classification-ipcr>\n <text>F25B 45/00 20060101ALN20200605BMEP </text>\n</classification-ipcr><classification-ipcr><text>B05B 7/ 00 A I </text></classification-ipcr>" +
		"<classification-ipcr><text> </text></classification-ipcr><classification-ipcr/></B510EP>")
	equal(t, "since 2006", got, "A61K 31/5383|20060101|AFIH, F25B 45/00|20060101|ALNM, B05B 7/00")
	row, _ := codes(`<B520EP><classifications-cpc><classification-cpc sequence="1"><text>Y02E  10/50        20130101 LA20220315BHEP        </text></classification-cpc></classifications-cpc></B520EP>`)
	want := []schemas.Classification{{Symbol: "Y02E 10/50", Section: "Y", Class: "Y02", Subclass: "Y02E", MainGroup: "10", Subgroup: "50",
		Version: "20130101", Position: "L", Value: "N", Source: "H"}}
	if diff := cmp.Diff(want, row.CPC); diff != "" {
		t.Error(diff)
	}
	equal(t, "still the EPO's", row.Dialect, "epo-st36")
}

func TestEPCitations(t *testing.T) {
	row := parse(t, epPatent(`<SDOBI><B500><B560><B561><text>EP-A1- 0 460 575</text></B561><B561><text>WO-A-95/34526</text></B561>`+
		`<B561><text>US-A1- 2007 204 872</text></B561><B561><text>US-E- R E36 154</text></B561><B561><text>GB-A-693448 (DOE)</text></B561>`+
		`<B561><text>see above</text></B561><B562><text>DOE J: 'Rods', 1999</text></B562><B565EP><date>20050511</date></B565EP></B560></B500></SDOBI>`+
		`<description lang="en"><p>see <patcit dnum="EP9A1"><text>EP 9</text></patcit></p></description>`+
		`<search-report-data id="srep" lang="en"><doc-page/><srep-for-pub><srep-citations>`+
		`<citation><patcit dnum="EP0460575A1"><document-id><country>EP</country><doc-number>0460575</doc-number><kind>A1</kind></document-id></patcit><category>X</category><rel-claims>1-3</rel-claims></citation>`+
		`<citation><patcit><document-id><country>US</country><doc-number>2</doc-number><kind>A</kind></document-id></patcit><rel-passage><passage>col. 1</passage><category>A</category></rel-passage><rel-passage><category>Y</category></rel-passage></citation>`+
		`<citation><nplcit><text>Book</text></nplcit><category>X</category></citation></srep-citations></srep-for-pub></search-report-data>`+
		`<ep-reference-list id="ref-list"><heading><b>REFERENCES CITED</b></heading><p><i>This list does not form part of the document.</i></p>`+
		`<p><ul><li><patcit dnum="DE3A"><document-id><country>DE</country><doc-number>3</doc-number><kind>A</kind></document-id></patcit><crossref>[0004]</crossref></li>`+
		`<li><patcit dnum="WO9534526A"><document-id><country>WO</country><doc-number>9534526</doc-number><kind>A</kind></document-id></patcit></li><li><nplcit>Book</nplcit></li></ul></p></ep-reference-list>`))
	want := []schemas.Citation{
		{UCID: "EP-0460575-A1", PatentID: "EP-0460575", Source: "SEA", Category: "X"},
		{UCID: "WO-1995034526-A", PatentID: "WO-1995034526", Source: "SEA/EXA"},
		{UCID: "US-20070204872-A1", PatentID: "US-20070204872", Source: "SEA/EXA"},
		{UCID: "US-RE36154-E", PatentID: "US-RE36154", Source: "SEA/EXA"},
		{UCID: "GB-693448-A", PatentID: "GB-693448", Source: "SEA/EXA"},
		{UCID: "US-2-A", PatentID: "US-2", Source: "SEA", Category: "Y"},
		{UCID: "DE-3-A", PatentID: "DE-3", Source: "APP"},
	}
	if diff := cmp.Diff(want, row.Citations); diff != "" {
		t.Error(diff)
	}
	hasWarning(t, row, `1 citations without a readable document id left out, the first: "see above"`)
	equal(t, "description", row.DescriptionEN, "see EP 9")
}

func TestEPParties(t *testing.T) {
	row := parse(t, sdobi(`<B700><B710><B711><snm>ROD &amp; CO</snm><iid>1</iid><adr><str>Street</str><ctry>GB</ctry></adr></B711><B711><snm>Second AG</snm></B711></B710>`+
		`<B720><B721><snm>DOE, Jane</snm></B721><B721><snm>Roe</snm><fnm>Richard</fnm></B721><B725EP><text>The designation of the inventor has not yet been filed</text></B725EP></B720>`+
		`<B730><B731><snm>Owner</snm></B731></B730><B740><B741><snm>Agent</snm></B741></B740></B700>`))
	equal(t, "applicants", strings.Join(row.Applicants, "; "), "ROD & CO; Second AG")
	equal(t, "inventors", strings.Join(row.Inventors, "; "), "DOE, Jane; Roe, Richard")
	row = parse(t, sdobi(`<B700><B730><B731><snm>Owner</snm></B731></B730></B700>`))
	equal(t, "grants name the proprietor", strings.Join(row.Applicants, "; "), "Owner")
}

func TestEPTexts(t *testing.T) {
	claims := func(lang, text string) string {
		return `<claims id="c" lang="` + lang + `"><claim num="0001"><claim-text>` + text + `<claim-text>an end.</claim-text></claim-text></claim></claims>`
	}
	row := parse(t, epPatent(`<abstract lang="en"><p num="0001">A rod.<!-- EPO <DP n="2"/>--></p></abstract><description lang="de"><heading><b>Gebiet</b></heading><p>Ein Stab.</p></description>`+
		claims("de", "Stab mit")+claims("en", "Rod with")+claims("fr", "Tige à")+claims("en", "Rod for AT with")+
		`<amended-claims lang="en"><claim><claim-text>Amended.</claim-text></claim></amended-claims><drawings><figure><img file="f.tif"/></figure></drawings><style id="x">no text</style>`))
	equal(t, "abstract", row.AbstractEN, "A rod.")
	equal(t, "description", row.DescriptionDE, "Gebiet\nEin Stab.")
	equal(t, "de", row.ClaimsDE, "Stab mit an end.")
	equal(t, "en", row.ClaimsEN, "Rod with an end.")
	equal(t, "fr", row.ClaimsFR, "Tige à an end.")
	hasWarning(t, row, "two texts of claims in en: kept one of 16 bytes, left out one of 23 bytes")
}
