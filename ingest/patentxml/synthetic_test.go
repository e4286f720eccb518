package patentxml

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// syntheticPatent is a random patent of about size bytes with the layout of a real EP document: a bibliography on one
// line, titles in three languages, an abstract, a description with page-break comments and formulas, claims in three
// languages. The words come from a list of common ones by Zipf's law, so that lengths are those of English.
func syntheticPatent(seed int64, size int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 36))
	zipf := rand.NewZipf(r, 1.2, 4, uint64(len(commonWords)-1))
	var b strings.Builder
	sentence := func(n int) {
		for i := range n {
			word := commonWords[zipf.Uint64()]
			switch r.IntN(40) {
			case 0:
				fmt.Fprintf(&b, "%s (%d)", word, r.IntN(90)+1)
			case 1:
				fmt.Fprintf(&b, "C<sub>%d</sub>H<sub>%d</sub>", r.IntN(20)+1, r.IntN(40)+1)
			case 2:
				fmt.Fprintf(&b, "<b>%s</b> &amp; %s", word, word)
			default:
				b.WriteString(word)
			}
			if r.IntN(12) == 0 {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
			if i == n-1 {
				b.WriteString("part.")
			}
		}
	}
	number := 1000000 + seed
	fmt.Fprintf(&b, `<!DOCTYPE patent-document PUBLIC "-//MXW//DTD patent-document XML//EN" "http://www.matrixware.com/dtds/patents/v1.4/patent-document.dtd">`+
		`<patent-document ucid="EP-%[1]d-B1" country="EP" doc-number="%[1]d" kind="B1" lang="EN" family-id="%[1]d" status="new" date-produced="20100220" date="20030122"><bibliographic-data>`+
		`<publication-reference ucid="EP-%[1]d-B1" status="new"><document-id status="new" format="original"><country>EP</country><doc-number>%[1]d</doc-number><kind>B1</kind><date>20030122</date></document-id></publication-reference>`+
		`<application-reference ucid="EP-98937268-A" status="new"><document-id status="new" format="epo"><country>EP</country><doc-number>98937268</doc-number><kind>A</kind><date>19980729</date></document-id></application-reference>`+
		`<priority-claims status="new"><priority-claim ucid="US-90250897-A" status="new"><document-id status="new" format="epo"><country>US</country><doc-number>90250897</doc-number><kind>A</kind><date>19970729</date></document-id></priority-claim></priority-claims>`+
		`<technical-data status="new"><classifications-ipcr>`, number)
	for range 12 {
		fmt.Fprintf(&b, `<classification-ipcr load-source="docdb" status="new">C07C %3d/%02d        20060101A I20051008RMEP        </classification-ipcr>`, r.IntN(400)+1, r.IntN(90))
	}
	b.WriteString(`</classifications-ipcr><invention-title lang="DE" status="new">VERFAHREN ZUR HERSTELLUNG</invention-title><invention-title lang="EN" status="new">PROCESS OF PREPARATION</invention-title>` +
		`<invention-title lang="FR" status="new">TIGE ET CLOU</invention-title><citations><patent-citations>`)
	for range 10 {
		n := r.IntN(9000000)
		fmt.Fprintf(&b, `<patcit ucid="US-%[1]d-A" status="new"><document-id format="epo" status="new"><country>US</country><doc-number>%[1]d</doc-number><kind>A</kind></document-id><sources><source name="SEA" category="A" created-by-npl="N"/></sources></patcit>`, n)
	}
	b.WriteString(`</patent-citations></citations></technical-data><parties>`)
	for _, role := range []string{"applicant", "inventor"} {
		fmt.Fprintf(&b, "<%ss>", role)
		for _, format := range []string{"epo", "intermediate", "original"} {
			for i := range 3 {
				fmt.Fprintf(&b, `<%[1]s format="%s" status="new"><addressbook><name>DOE JANE %d</name><address><street>Road</street><city>Town</city><country>US</country></address></addressbook></%[1]s>`, role, format, i)
			}
		}
		fmt.Fprintf(&b, "</%ss>", role)
	}
	b.WriteString(`</parties></bibliographic-data><abstract lang="EN" load-source="ep" status="new"><p>`)
	sentence(120)
	b.WriteString(`</p></abstract><description lang="EN" load-source="ep" status="new">`)
	for i := 1; b.Len() < size*7/10; i++ {
		if i%8 == 0 {
			fmt.Fprintf(&b, "<!-- EPO <DP n=\"%d\"/>--><heading id=\"h%04d\">Examples</heading>", i/8, i)
		}
		fmt.Fprintf(&b, `<p id="p%04d" num="%04[1]d">`, i)
		sentence(80)
		b.WriteString("</p>\n")
	}
	b.WriteString(`</description>`)
	for i, lang := range []string{"DE", "EN", "FR"} {
		fmt.Fprintf(&b, `<claims lang="%s" load-source="ep" status="new">`, lang)
		for n := 1; b.Len() < size*(8+i)/10; n++ {
			fmt.Fprintf(&b, `<claim num="%d"><claim-text>`, n)
			sentence(40)
			b.WriteString(`</claim-text></claim>`)
		}
		b.WriteString(`</claims>`)
	}
	b.WriteString(`<copyright>User acknowledges that all right, title and interest in and to this xml is retained.</copyright></patent-document>`)
	return b.String()
}

var commonWords = strings.Fields(`the of a and to in is for said with by which an are that from wherein at being having first second
	this has as it be or invention method device member process system according claim comprising means portion surface
	provided embodiment present one between may plurality compound shown preferably end temperature material described
	composition solution figure control acid unit signal each layer example body element circuit substantially water group
	air pressure apparatus mixture methylene housing conveyor hydroformylation telescoping polymerisation`)
