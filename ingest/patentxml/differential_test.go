package patentxml

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/shareddata"
	"dssdnet/schemas"
)

// bothWays parses raw with the fast tokenizer first and with the slow one alone, and fails when they differ in anything.
func bothWays(t *testing.T, name string, raw []byte, cutFrom int64) (*schemas.Document, *Rejection) {
	t.Helper()
	row, rejection := NewParser(Limits{}).parse(raw, cutFrom)
	slow := NewParser(Limits{})
	slow.slowOnly = true
	slowRow, slowRejection := slow.parse(raw, cutFrom)
	if diff := cmp.Diff(slowRow, row); diff != "" {
		t.Fatalf("%s: the rows differ (-encoding/xml +gosax):\n%s", name, diff)
	}
	if diff := cmp.Diff(slowRejection, rejection); diff != "" {
		t.Fatalf("%s: the rejections differ (-encoding/xml +gosax):\n%s", name, diff)
	}
	if (row == nil) == (rejection == nil) {
		t.Fatalf("%s: row %v and rejection %v", name, row, rejection)
	}
	return row, rejection
}

// fixtures are documents that go the whole width of the format; the fuzz tests start from them too.
var fixtures = []string{
	patent(""),
	described(`<p num="1">A <b>rod</b> &amp; nail.</p><p>B<!-- x -->C<?pi y?>D<![CDATA[<&]]>E</p>`),
	`<?xml version="1.0" encoding="UTF-8"?>` + "\r\n" + `<!DOCTYPE patent-document PUBLIC "-//MXW//DTD patent-document XML//EN" "http://www.matrixware.com/dtds/patents/v1.4/patent-document.dtd" [<!ENTITY e "x &#38; y">]>` +
		described("<p>&e; &agr; &nope; &#160;\r\nCRLF\rCR&#13;</p>"),
	technical(`<classifications-ipcr><classification-ipcr>A61K  31/00        20060101AFI20051008RMEP        </classification-ipcr><classification-ipcr>BAD</classification-ipcr></classifications-ipcr>` +
		`<invention-title lang="EN">A rod</invention-title><citations><patent-citations><patcit ucid="US-1-A"><sources><source name="SEA" category="X"/></sources>` +
		`<cit:category xmlns:cit="urn:x">Y</cit:category></patcit></patent-citations></citations>`),
	patent(`<claims lang="DE"><claim num="1"><claim-text>1. Stab mit <st32:f>x</st32:f></claim-text><claim-text>2. Nagel.</claim-text></claim></claims>`),
	described("<p>a\x02b&#2;c &shy; \u00ad\n\u00ac</p><!-- a -- b -->"),
	described("<p>raw & here</p>"), described("<p>x < y</p>"), described("<b><i>x</b></i>"), "<a/>", "text", "",
	`<patent-document ucid='EP-1-A1' lang = "EN" ><abstract lang="EN" >x</abstract ></patent-document >`,
	`<patent-document ucid="EP-1-A1"><:a/><a:b:c/><é x="1"/><p a="1"b="2"/></patent-document>`,
	"<patent-document ucid=\"EP-1-A1\"><abstract>Gr\xfc\xdfe</abstract></patent-document>",
	described("a<!---><p>x</p>-->b<!-->-->c"), patent("<!-->-->"), patent("<?x?><?xml?>"), patent("<?xml version='1.1' ?>"), patent("<![CDATA[]]]]>]]>"),
	patent("<abstract>]]&gt; ]]></abstract>"), patent("<!ELEMENT a>"), patent("<p a='<'/>"), patent("<p a='&lt;&nope;'/>"),
	epPatent(`<SDOBI><B500><B510><B516>7</B516><B511> 7B 22D  29/00   A</B511></B510><B510EP><classification-ipcr><text>A61K  31/00        20060101AFI20051008BHEP        </text></classification-ipcr></B510EP>` +
		`<B540><B541>de</B541><B542>Stab<sub>1</sub></B542><B541>en</B541><B542>Rod</B542></B540><B560><B561><text>EP-A1- 0 460 575</text></B561><B561><text>?</text></B561></B560></B500>` +
		`<B700><B720><B721><snm>DOE, J.</snm></B721></B720></B700></SDOBI><claims lang="de"><claim><claim-text>Stab</claim-text></claim></claims>` +
		`<ep-reference-list><p><li><patcit><document-id><country>US</country><doc-number>2</doc-number></document-id></patcit></li></p></ep-reference-list>`),
	`<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>` + usGrant("D0700000", "S1", `<classifications-ipcr>`+splitXML("classification-ipcr", "A", "61", "K", "31", "00", `<symbol-position>F</symbol-position>`)+
		`</classifications-ipcr><us-references-cited><us-citation><patcit><document-id><country>US</country><doc-number>2007/0204872</doc-number></document-id></patcit><category>cited by examiner</category></us-citation></us-references-cited>`+
		`<parties><applicants><applicant app-type="applicant-inventor"><addressbook><last-name>Doe</last-name></addressbook></applicant></applicants></parties>`,
		`<description><?BRFSUM d="x" end="lead"?><p>A &#x201c;rod&#x201d;</p></description>`),
}

func TestTokenizersAgreeOnFixtures(t *testing.T) {
	for i, xml := range fixtures {
		for n := range len(xml) + 1 {
			if row, _ := bothWays(t, fmt.Sprintf("fixture %d, %d bytes", i, n), []byte(xml[:n]), 0); row != nil && row.Truncated {
				t.Errorf("fixture %d, %d bytes: a truncated row", i, n)
			}
			if row, _ := bothWays(t, fmt.Sprintf("fixture %d, cut after %d bytes", i, n), []byte(xml[:n]), int64(len(xml))); row != nil && !row.Truncated {
				t.Errorf("fixture %d, cut after %d bytes: not marked", i, n)
			}
		}
	}
}

// samples calls f for each file of the folder of real documents.
func samples(t *testing.T, f func(t *testing.T, path string, raw []byte)) {
	root := filepath.Join(shareddata.Dir(t), "data", "xml-samples")
	files := 0
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.EqualFold(filepath.Ext(path), ".xml") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		t.Run(strings.TrimPrefix(path, root+"/"), func(t *testing.T) { f(t, path, raw) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("%d samples in %s: too few to say anything", files, root)
	}
}

// Every real document of a supported root gives a row, without a warning that it doesn't deserve, but for files that a
// browser saved with raw < and &; every other document gives a rejection that names its root.
func TestSamples(t *testing.T) {
	rows := make(map[string]int) // by dialect
	samples(t, func(t *testing.T, path string, raw []byte) {
		row, rejection := bothWays(t, path, raw, 0)
		if !isSupported(raw) {
			root := ""
			if rejection != nil {
				root = strings.TrimPrefix(rejection.Message, "unsupported root ")
			}
			if rejection == nil || rejection.Reason != ReasonUnsupportedRoot || !strings.Contains(string(raw), "<"+root) {
				t.Fatalf("%+v", rejection)
			}
			return
		}
		if rejection != nil {
			if rejection.Reason != ReasonNotWellFormed || !strings.Contains(path, "epo-st36") || rejection.Line == 0 {
				t.Fatal(rejection)
			}
			return
		}
		rows[row.Dialect]++
		checkSample(t, path, row)
		p := NewParser(Limits{})
		var events nothing
		if doc, _ := decode(raw, &p.warn); !p.fast.run(doc[rootOf(doc):], false, &events) {
			t.Error("the fast tokenizer has doubts")
		}
		cuts := 40
		if len(raw) > 1<<19 {
			cuts = 5
		}
		for n := 0; n < len(raw); n += len(raw)/cuts + 1 { // a row of every beginning that names the patent, whatever is cut
			if row, rejection := bothWays(t, path, raw[:n], int64(len(raw))); row != nil && !utf8.ValidString(row.DescriptionEN) ||
				rejection != nil && rejection.Reason != ReasonNoRoot && rejection.Reason != ReasonTruncated && (n > 4096 || rejection.Reason != ReasonNoUCID) {
				t.Errorf("cut after %d: %v", n, rejection)
			}
		}
	})
	for dialect, least := range map[string]int{dialectCLEFIP: 1, dialectMAREC: 5, dialectIFI: 1, dialectEPO: 15, dialectUSPTO: 7} {
		if rows[dialect] < least {
			t.Errorf("%d rows of real documents in %s, want at least %d", rows[dialect], dialect, least)
		}
	}
}

// checkSample looks at what every real document has.
func checkSample(t *testing.T, path string, row *schemas.Document) {
	if row.TitleEN == "" || len(row.IPC) == 0 || len(row.Applicants) == 0 || row.PublicationDate == nil || row.ApplicationDate == nil && row.Dialect != dialectCLEFIP && row.Dialect != dialectMAREC {
		t.Errorf("something is missing: %+v", row)
	}
	switch row.Dialect {
	case dialectCLEFIP, dialectMAREC:
		equal(t, "file name", strings.TrimSuffix(filepath.Base(path), ".xml"), row.UCID)
		fallthrough
	case dialectIFI:
		if row.FamilyID == "" {
			t.Error("no family")
		}
	case dialectUSPTO:
		if row.AbstractEN == "" || row.ClaimsEN == "" || row.DescriptionEN == "" || len(row.Inventors) == 0 {
			t.Errorf("something is missing: %+v", row)
		}
	}
	for _, w := range row.Warnings {
		if !strings.HasPrefix(w, "two texts of abstract in en") && !strings.Contains(w, "citations without a readable document id") {
			t.Errorf("warning %q", w)
		}
	}
}

func isSupported(raw []byte) bool {
	pro, rejection := readProlog(bytes.TrimPrefix(raw, bomUTF8))
	return rejection == nil && dialects[string(localName(pro.root))] != nil
}

// rootOf returns the place of the root's start tag.
func rootOf(doc []byte) int {
	pro, _ := readProlog(doc)
	return pro.body
}

// nothing swallows events.
type nothing struct{}

func (*nothing) start([]byte, attributes) {}
func (*nothing) end()                     {}
func (*nothing) text([]byte)              {}
