package patentxml

import (
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

// Every real patent-document gives a row, without a warning that it doesn't deserve, and every other document a
// rejection that names its root.
func TestSamples(t *testing.T) {
	rows := 0
	samples(t, func(t *testing.T, path string, raw []byte) {
		row, rejection := bothWays(t, path, raw, 0)
		if !strings.Contains(string(raw), "<patent-document") {
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
			t.Fatal(rejection)
		}
		rows++
		equal(t, "file name", strings.TrimSuffix(filepath.Base(path), ".xml"), map[bool]string{true: row.UCID, false: "patent-ep"}[row.Dialect != "ifi"])
		if row.TitleEN == "" || len(row.IPC) == 0 || len(row.Applicants) == 0 || row.PublicationDate == nil || row.FamilyID == "" {
			t.Errorf("something is missing: %+v", row)
		}
		for _, w := range row.Warnings {
			if !strings.HasPrefix(w, "two texts of abstract in en") {
				t.Errorf("warning %q", w)
			}
		}
		p := NewParser(Limits{})
		var events nothing
		if doc, _ := decode(raw, &p.warn); !p.fast.run(doc[strings.Index(string(doc), "<patent-document"):], false, &events) {
			t.Error("the fast tokenizer has doubts")
		}
		for n := 0; n < len(raw); n += len(raw)/40 + 1 { // a row of every beginning that has the root, whatever is cut
			if row, rejection := bothWays(t, path, raw[:n], int64(len(raw))); row != nil && !utf8.ValidString(row.DescriptionEN) ||
				rejection != nil && rejection.Reason != ReasonNoRoot && rejection.Reason != ReasonTruncated {
				t.Errorf("cut after %d: %v", n, rejection)
			}
		}
	})
	if rows < 5 {
		t.Errorf("%d rows of real documents", rows)
	}
}

// nothing swallows events.
type nothing struct{}

func (*nothing) start([]byte, attributes) {}
func (*nothing) end()                     {}
func (*nothing) text([]byte)              {}
