package patentxml

import (
	"strings"
	"testing"
)

// Pitfalls of the text: which words a column holds.

func TestPitfall15NestedClaimText(t *testing.T) {
	row := parse(t, patent(`<claims lang="EN"><claim num="1"><claim-text>1. A lens comprising:<claim-text>a first element;</claim-text><claim-text>a second.</claim-text></claim-text></claim>`+
		`<claim num="2"><claim-text>2. The lens of claim 1.</claim-text></claim></claims>`))
	equal(t, "claims", row.ClaimsEN, "1. A lens comprising: a first element; a second.\n2. The lens of claim 1.")
}

func TestPitfall16MixedContent(t *testing.T) {
	row := parse(t, described(`<p>CO<sub>2</sub> at 10<sup>-3</sup> bar, W<sub>residue</sub></p>`+
		`<ul><li>one</li><li>two</li></ul><p>a<br/>b<img file="x.tif"/>c</p>`))
	equal(t, "text", row.DescriptionEN, "CO2 at 10-3 bar, Wresidue\none two\na bc")
}

func TestPitfall17ContainerLevels(t *testing.T) {
	row := parse(t, patent(`<abstract lang="EN"><abst-problem><p>P.</p></abst-problem><abst-solution><p>S.</p></abst-solution></abstract>`+
		`<description lang="EN"><technical-field><heading>Field</heading><p>F.</p></technical-field><description-of-drawings><p>D.</p></description-of-drawings>tail</description>`))
	equal(t, "abstract", row.AbstractEN, "P. S.")
	equal(t, "description", row.DescriptionEN, "Field\nF.\nD.\ntail")
}

func TestPitfall18OneClaimHoldsAll(t *testing.T) {
	claims := func(content string) string {
		return parse(t, patent(`<claims lang="EN"><claim num="0001">`+content+`</claim></claims>`)).ClaimsEN
	}
	for _, c := range []struct{ name, content, want string }{
		{"the reproducer", `<claim-text/><claim-text>I CLAIM;</claim-text><claim-text>1. A rod.</claim-text><claim-text>2. Rod of claim 1. <!-- EPO <DP n="38"/>--> 3. Rod of claim 2.</claim-text>`,
			"I CLAIM; 1. A rod.\n2. Rod of claim 1.\n3. Rod of claim 2."},
		{"a number inside between two in front", `<claim-text>1. A rod. 2. Rod of claim 1.</claim-text><claim-text>3. Rod of claim 2.</claim-text>`,
			"1. A rod.\n2. Rod of claim 1.\n3. Rod of claim 2."},
		{"figures are no claims", `<claim-text>1. A rod as in Fig. 2. The rod bends.</claim-text><claim-text>2. Rod of claim 1.</claim-text>`,
			"1. A rod as in Fig. 2. The rod bends.\n2. Rod of claim 1."},
		{"one claim alone", `<claim-text>1. A rod as in Fig. 2. The rod bends at 2. Then not.</claim-text>`,
			"1. A rod as in Fig. 2. The rod bends at 2. Then not."},
		{"numbers that don't ascend", `<claim-text>1. A rod.</claim-text><claim-text>3. Another.</claim-text><claim-text>7. More.</claim-text>`,
			"1. A rod. 3. Another. 7. More."},
		{"numbers that don't start at one", `<claim-text>2. A rod.</claim-text><claim-text>3. Another.</claim-text>`,
			"2. A rod. 3. Another."},
		{"no numbers", `<claim-text>A rod.</claim-text><claim-text>Another.</claim-text>`, "A rod. Another."},
		{"an enumeration inside a claim", `<claim-text>1. A rod with</claim-text><claim-text>1. a head</claim-text><claim-text>2. Rod of claim 1.</claim-text>`,
			"1. A rod with 1. a head\n2. Rod of claim 1."},
	} {
		equal(t, c.name, claims(c.content), c.want)
	}
	row := parse(t, patent(`<claims lang="EN"><claim-statement>We claim:</claim-statement><claim>1. A rod. 2. A nail.</claim><claim>2. B.</claim></claims>`))
	equal(t, "two elements are two claims", row.ClaimsEN, "We claim: 1. A rod. 2. A nail.\n2. B.")
}

func TestPitfall19PageBreakComments(t *testing.T) {
	row := parse(t, described(`<p>charging position<!-- EPO <DP n="85"/>--> between, sol<!-- EPO <DP n="86"> -->ution</p><?BRFSUM x?><p>kept<?a b?>together</p>`))
	equal(t, "text", row.DescriptionEN, "charging position between, solution\nkepttogether")
}

func TestPitfall20Hyphenation(t *testing.T) {
	row := parse(t, described("<p>mem\u00ad\nber, substan\u00ac tially, non- porous, self\u00ad<!-- p --> \n<br/>contained,</p>"+
		"<p>soft\u00adly x \u00acq, A\u00ac\u00ad B</p><p>end\u00ad</p><p>start &shy; ele&#173;\nment</p>"))
	equal(t, "text", row.DescriptionEN, "member, substantially, non- porous, selfcontained,\nsoftly x ¬q, AB\nend\nstart element")
}

func TestPitfall21TwoAbstractsOfOneLanguage(t *testing.T) {
	abstract := func(source, text string) string {
		return `<abstract lang="EN" load-source="` + source + `"><p>` + text + `</p></abstract>`
	}
	for _, order := range [][]string{{"docdb", "patent-office"}, {"patent-office", "docdb"}, {"mxw-smt", "docdb", "patent-office"}} {
		var content strings.Builder
		for _, source := range order {
			content.WriteString(abstract(source, source))
		}
		row := parse(t, patent(content.String()))
		equal(t, strings.Join(order, " "), row.AbstractEN, "patent-office")
		hasWarning(t, row, `two texts of abstract in en: kept the one from "patent-office", left out the one from "docdb"`)
	}
	row := parse(t, patent(abstract("other", "A")+abstract("docdb", "B")+abstract("docdb", "C")))
	equal(t, "then docdb, then the first", row.AbstractEN, "B")
}

func TestPitfall22WrongLanguageLabel(t *testing.T) {
	const german = "Die Erfindung betrifft ein Verfahren zur Herstellung von linearen Aldehyden, wobei eine Verbindung mit dem Katalysator umgesetzt wird."
	const englishText = "The invention relates to a process for the preparation of linear aldehydes, wherein a compound is reacted with the catalyst."
	const frenchText = "L'invention concerne un procédé pour la préparation d'aldéhydes linéaires, dans lequel les composés sont mis en contact avec le catalyseur."
	abstract := func(lang, text string) string { return `<abstract lang="` + lang + `"><p>` + text + `</p></abstract>` }

	row := parse(t, patent(abstract("EN", german)+abstract("DE", englishText)))
	equal(t, "en", row.AbstractEN, englishText)
	equal(t, "de", row.AbstractDE, german)
	equal(t, "declared", row.Lang, "en")
	hasWarning(t, row, "abstract declared en reads as de")

	row = parse(t, patent(abstract("EN", german)+abstract("EN", englishText)))
	equal(t, "both said en: en", row.AbstractEN, englishText)
	equal(t, "both said en: de", row.AbstractDE, german)

	row = parse(t, patent(abstract("DE", englishText)+abstract("EN", "This is declared English.")))
	equal(t, "the one declared so is preferred", row.AbstractEN, "This is declared English.")

	root := strings.Replace(patent("%"), `lang="EN"`, `lang="XX"`, 1)
	row = parse(t, strings.Replace(root, "%", abstract("EN", englishText)+abstract("XX", german)+abstract("", frenchText), 1))
	equal(t, "root xx", row.Lang, "xx")
	equal(t, "en under xx", row.AbstractEN, englishText)
	equal(t, "xx reads as de", row.AbstractDE, german)
	equal(t, "nothing declared reads as fr", row.AbstractFR, frenchText)

	row = parse(t, strings.Replace(root, "%", abstract("XX", "C1-C4 123")+
		`<abstract lang="IT"><p>Un procedimento per la preparazione di aldeidi lineari, in cui un composto viene fatto reagire con il catalizzatore.</p></abstract>`+
		`<abstract lang="ES"><p>Un procedimiento para la preparación de aldehídos, en el que se hace reaccionar un compuesto con el catalizador y la sal de los metales.</p></abstract>`, 1))
	if len(row.OtherTexts) != 3 || row.OtherTexts[0].Lang != "xx" || row.OtherTexts[1].Lang != "it" || row.OtherTexts[2].Lang != "es" {
		t.Errorf("other languages: %+v", row.OtherTexts)
	}
	equal(t, "section", row.OtherTexts[1].Section, "abstract")

	row = parse(t, technical(`<invention-title lang="EN">VERFAHREN ZUR HERSTELLUNG VON DER DIE DAS EIN</invention-title>`))
	equal(t, "titles keep their label", row.TitleEN, "VERFAHREN ZUR HERSTELLUNG VON DER DIE DAS EIN")
}

func TestPitfall23ClaimsByLanguage(t *testing.T) {
	row := parse(t, patent(`<claims lang="DE"><claim><claim-text>Stab.</claim-text></claim></claims>`+
		`<claims lang="EN"><claim><claim-text>Rod.</claim-text></claim></claims><claims lang="FR"><claim><claim-text>Tige.</claim-text></claim></claims>`))
	equal(t, "de", row.ClaimsDE, "Stab.")
	equal(t, "en", row.ClaimsEN, "Rod.")
	equal(t, "fr", row.ClaimsFR, "Tige.")
	row = parse(t, patent(`<claims><claim><claim-text>Rod.</claim-text></claim></claims>`))
	equal(t, "no label: the document's language", row.ClaimsEN, "Rod.")
}

func TestPitfall24EmptySections(t *testing.T) {
	row := parse(t, patent(`<bibliographic-data><technical-data><invention-title lang="EN"> </invention-title></technical-data></bibliographic-data>`+
		`<abstract lang="EN"/><abstract lang="DE"><p> <!-- None --> </p></abstract><description lang="EN"><p/></description><claims lang="EN"><claim><claim-text/></claim></claims>`))
	for name, text := range map[string]string{"title": row.TitleEN, "abstract": row.AbstractEN, "abstract de": row.AbstractDE,
		"description": row.DescriptionEN, "claims": row.ClaimsEN} {
		equal(t, name, text, "")
	}
	if row.TextBytes != 0 || row.OtherTexts != nil || row.IPC != nil || row.LangDetected != "" {
		t.Errorf("something in an empty document: %+v", row)
	}
	equal(t, "the patent is kept", row.UCID, "EP-1000001-A1")
	noWarnings(t, row)
}

func TestPitfall25Boilerplate(t *testing.T) {
	abstract := func(content string) string {
		return parse(t, patent(`<abstract lang="EN">`+content+`</abstract><copyright>User acknowledges that all rights are reserved.</copyright>`)).AbstractEN
	}
	equal(t, "Japanese abstract", abstract(`<p>PROBLEM TO BE SOLVED: To bend a rod. </p><p>SOLUTION: The rod bends.</p><p>COPYRIGHT: (C)1998,JPO</p>`),
		"To bend a rod. The rod bends.")
	equal(t, "in one paragraph", abstract(`<p>PROBLEM TO BE SOLVED: To bend. SOLUTION: It bends; SOLUTION: again.COPYRIGHT: (C)2006,JPO&amp;NCIPI</p>`),
		"To bend. It bends; again.")
	equal(t, "the older form", abstract(`<p>PURPOSE: To bend.</p><p>CONSTITUTION: A rod.</p><p>SELECTED DRAWING: Figure 1</p>`), "To bend. A rod.")
	equal(t, "a label alone", abstract(`<p>SOLUTION:</p><p>COPYRIGHT: ©2010</p>`), "")
	equal(t, "words that only look so", abstract(`<p>The aqueous SOLUTION: water. SOLUTION: salt. COPYRIGHT: none</p>`),
		"The aqueous SOLUTION: water. SOLUTION: salt. COPYRIGHT: none")
	row := parse(t, described(`<p>SOLUTION: x <copyright>all rights</copyright> y</p>`))
	equal(t, "only abstracts have labels", row.DescriptionEN, "SOLUTION: x y")
}

func TestPitfall26Tables(t *testing.T) {
	row := parse(t, described(`<p>T<tables><table><tgroup cols="2"><colspec colname="1"/><tbody><row><entry>Temp</entry><entry>50</entry></row><row><entry>Time</entry><entry>2</entry></row></tbody></tgroup></table></tables></p>`+
		`<p><maths><math><mi>a</mi><mo>=</mo><mn>1</mn></math></maths><chemistry><img file="c.tif"/></chemistry></p>`+
		`<p>see <patcit dnum="EP1"><text>EP 1</text></patcit>, <patcit><document-id><country>US</country><doc-number>2</doc-number></document-id></patcit></p>`))
	equal(t, "text", row.DescriptionEN, "T Temp 50 Time 2\na=1\nsee EP 1, US 2")
	row = parse(t, patent(`<drawings><figure><img file="d.tif"/>x</figure></drawings><search-report-data><doc-page/>y</search-report-data>`))
	if row.TextBytes != 0 {
		t.Errorf("text of drawings: %+v", row)
	}
}
