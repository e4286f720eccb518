package synth

import "strings"

// textHazards are the shapes in which texts have been lost or mixed up. All of them are legal.
var textHazards = []hazard{
	{name: "nested-claim-text", rows: 1, spoil: nestedClaimText},
	{name: "mixed-content", rows: 1, spoil: mixedContent},
	{name: "nested-sections", rows: 1, spoil: nestedSections},
	{name: "one-claim-of-many", rows: 1, spoil: oneClaimOfMany},
	{name: "page-breaks", rows: 1, spoil: pageBreaks},
	{name: "hyphenation", rows: 1, spoil: hyphenation},
	{name: "two-abstracts", rows: 1, spoil: twoAbstracts},
	{name: "wrong-language", rows: 1, spoil: wrongLanguage},
	{name: "unknown-language", rows: 1, spoil: unknownLanguage},
	{name: "claims-in-three-languages", rows: 1, spoil: claimsInThreeLanguages},
	{name: "empty-sections", rows: 1, spoil: emptySections},
	{name: "boilerplate", rows: 1, spoil: boilerplate},
	{name: "tables", rows: 1, spoil: tables},
	{name: "single-paragraph", rows: 1, spoil: singleParagraph},
}

func (s *spoiled) claims(xml string) {
	s.section(`<claims lang="` + languageList[s.p.lang].code + `">` + xml + "</claims>")
}

func nestedClaimText(s *spoiled) {
	s.claims(`<claim num="1"><claim-text>1. A lens comprising:<claim-text>a first element;</claim-text><claim-text>a second.</claim-text></claim-text></claim>`)
}

func mixedContent(s *spoiled) {
	s.paragraph("<p>CO<sub>2</sub> at 10<sup>-3</sup> bar, <b>not</b> more</p>")
}

// Paragraphs deeper than where readers look.
func nestedSections(s *spoiled) {
	s.section(`<abstract lang="EN"><abst-problem><p>The problem.</p></abst-problem><abst-solution><p>The solution.</p></abst-solution></abstract>`)
	s.paragraph("<description-of-drawings><heading>Drawings</heading><p>Figure 1 shows a rod.</p></description-of-drawings>")
}

// All claims in one element, two of them in one claim-text across a page break.
func oneClaimOfMany(s *spoiled) {
	s.claims(`<claim num="0001"><claim-text/><claim-text>I CLAIM;</claim-text><claim-text>1. A rod.</claim-text>` +
		`<claim-text>2. Rod of claim 1. <!-- EPO <DP n="38"/>--> 3. Rod of claim 2.</claim-text></claim>`)
}

func pageBreaks(s *spoiled) {
	s.paragraph(`<p>charging position<!-- EPO <DP n="85"/>--> between sol<!-- EPO <DP n="86"/>-->ution<?BRFSUM end="tail"?> and rest</p>`)
}

// Line ends of optical character recognition.
func hyphenation(s *spoiled) {
	s.paragraph("<p>a mem\u00AD\nber that is substan\u00AC tially non- porous</p>")
}

// The same words from the bibliographic database and from the office.
func twoAbstracts(s *spoiled) {
	s.section(`<abstract lang="EN" load-source="docdb"><p>A rod for a device.</p></abstract>` +
		`<abstract lang="EN" load-source="patent-office"><p>A rod for a device.</p></abstract>`)
}

func wrongLanguage(s *spoiled) {
	s.section(`<abstract lang="EN"><p>Die Erfindung betrifft ein Verfahren zur Herstellung einer Vorrichtung, bei dem ` +
		`die Teile mit einem Mittel verbunden werden und das Gehäuse nach dem Einsetzen geschlossen wird.</p></abstract>`)
}

func unknownLanguage(s *spoiled) {
	s.replace(` lang="`+languageList[s.p.lang].code+`" date=`, ` lang="XX" date=`)
	s.section(`<abstract lang="XX"><p>A device with a rod that is held by the spring of the housing.</p></abstract>`)
}

func claimsInThreeLanguages(s *spoiled) {
	for _, claim := range [...][2]string{{"DE", "Rohr mit einer Feder."}, {"EN", "A rod with a spring."}, {"FR", "Tige avec un ressort."}} {
		s.section(`<claims lang="` + claim[0] + `"><claim num="1"><claim-text>` + claim[1] + "</claim-text></claim></claims>")
	}
}

func emptySections(s *spoiled) {
	s.section(`<abstract lang="FR"/><description lang="FR"></description><claims lang="FR"><claim num="1"><claim-text/></claim></claims>`)
}

func boilerplate(s *spoiled) {
	s.section(`<abstract lang="EN"><p>PROBLEM TO BE SOLVED: To hold a rod.</p><p>COPYRIGHT: (C)1998,JPO</p></abstract>`)
}

func tables(s *spoiled) {
	s.paragraph(`<p>See <tables num="1"><table><tgroup cols="2"><tbody><row><entry>Temp</entry><entry>50</entry></row><row><entry>Time</entry>` +
		`<entry>7</entry></row></tbody></tgroup></table></tables> and <maths num="1"><img id="i1" file="00010001.tif"/></maths>.</p>`)
}

// A description that is one paragraph with markup in it, which readers of shapes return as nothing.
func singleParagraph(s *spoiled) {
	before, rest, ok := strings.Cut(string(s.content), "<description")
	if ok {
		_, after, _ := strings.Cut(rest, "</description>")
		s.content = []byte(before + after)
	}
	s.paragraph(`<p num="1">A <b>rod</b>.</p>`)
}
