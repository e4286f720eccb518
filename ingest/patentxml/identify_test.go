package patentxml

import (
	"strings"
	"testing"
)

// The cutter finds the id that the parser finds, wherever its window of the document ends; a part of a number is none.
func TestIdentifyAgreesWithParse(t *testing.T) {
	for _, xml := range []string{
		patent(""),
		epPatent(`<SDOBI><B100><B110>0050002</B110></B100></SDOBI>`),
		`<ep-patent-document><SDOBI><B100><B110>0050002</B110><B130>B1</B130><B190>EP</B190></B100></SDOBI></ep-patent-document>`,
		usGrant("08926509", "B2", "", ""),
		usGrant("D0700000", "S1", "", "<p>raw & here</p>"),
	} {
		want := ""
		if row, _ := NewParser(Limits{}).Parse([]byte(strings.Replace(xml, "raw &", "", 1)), 0); row != nil {
			want = row.PatentID
		}
		for pad := range 1200 {
			file := strings.Replace(xml, "><", ">"+strings.Repeat(" ", pad)+"<", 1)
			if pieces := cutAll(t, strings.NewReader(file), 1<<20); pieces[0].PatentID != want {
				t.Fatalf("%d blanks behind the root: id %q, want %q in %.200s", pad, pieces[0].PatentID, want, xml)
			}
		}
	}
	far := strings.Replace(usGrant("1", "B2", "", ""), "<us-bib", strings.Repeat("<!-- x -->", 2000)+"<us-bib", 1)
	equal(t, "not looked for for ever", cutAll(t, strings.NewReader(far), 1<<20)[0].PatentID, "")
	equal(t, "an unsupported root", cutAll(t, strings.NewReader(`<PATDOC country="US" doc-number="1"/>`), 1<<20)[0].PatentID, "")
}
