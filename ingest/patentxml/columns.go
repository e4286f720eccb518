package patentxml

import (
	"strings"

	"dssdnet/schemas"
)

// placed is a passage with the language whose column it takes.
type placed struct {
	passage
	lang      string
	reads     guess // of all but titles
	corrected bool  // it reads as another language than declared
}

// place decides the language of a passage. What the block declares, or else the root, holds, with two exceptions: where
// nothing or an unknown language is declared the text decides, and where the text surely reads as another of the three
// languages the declaration is wrong.
func (p *Parser) place(t passage, rootLang string) placed {
	declared := t.declared
	if !isLanguage(declared) {
		declared = rootLang
	}
	if t.section == title && isLanguage(declared) { // too short to contradict
		return placed{passage: t, lang: declared}
	}
	next := placed{passage: t, lang: declared, reads: detect(t.text)}
	switch {
	case !isLanguage(declared):
		next.lang = next.reads.lang
		if next.lang == "" {
			next.lang = unknownLang
		}
	case next.reads.sure && next.reads.lang != declared:
		p.warn.add("%s declared %s reads as %s and was taken so", t.section, declared, next.reads.lang)
		next.lang, next.corrected = next.reads.lang, true
	}
	return next
}

func isLanguage(lang string) bool { return len(lang) == 2 && lang != unknownLang }

// preference orders several texts of one section and language, lower first: the publishing office's own before DOCDB's
// before any other, machine translations last; where that doesn't decide, the one that was declared so.
func (t placed) preference() int {
	n := 0
	switch source := strings.ToLower(t.source); {
	case source == "patent-office":
	case source == "docdb":
		n = 2
	case strings.HasSuffix(source, "smt"):
		n = 6
	default:
		n = 4
	}
	if t.corrected {
		n++
	}
	return n
}

// columns puts the passages of the draft into the row: one for each section and language, the others are left out with
// a warning. Two texts are never joined.
func (p *Parser) columns(row *schemas.Document) {
	d := &p.draft
	p.placed = p.placed[:0]
	longest := 0
	for _, t := range d.passages {
		if t.cut {
			row.Truncated = true
			p.warn.add("%s cut after %d bytes: longer than a field may be", t.section, len(t.text))
		}
		next := p.place(t, row.Lang)
		if len(t.text) > longest {
			longest = len(t.text)
			row.LangDetected = ""
			if next.reads.sure {
				row.LangDetected = next.reads.lang
			}
		}
		if i := p.rival(next); i < 0 {
			p.placed = append(p.placed, next)
		} else {
			kept, dropped := &p.placed[i], next
			if next.preference() < kept.preference() {
				*kept, dropped = next, *kept
			}
			if kept.source == dropped.source {
				p.warn.add("two texts of %s in %s: kept one of %d bytes, left out one of %d bytes",
					t.section, next.lang, len(kept.text), len(dropped.text))
				continue
			}
			p.warn.add("two texts of %s in %s: kept the one from %q, left out the one from %q",
				t.section, next.lang, brief(kept.source), brief(dropped.source))
		}
	}
	for _, t := range p.placed {
		if column := columnOf(row, t.section, t.lang); column != nil {
			*column = t.text
		} else {
			row.OtherTexts = append(row.OtherTexts, schemas.OtherText{Section: string(t.section), Lang: t.lang, Text: t.text})
		}
		row.TextBytes += int64(len(t.text))
	}
}

// rival returns the place of a passage of the same section and language, -1 when there is none. Texts of an unknown
// language have no rivals: they may be in two.
func (p *Parser) rival(t placed) int {
	for i := range p.placed {
		if p.placed[i].section == t.section && p.placed[i].lang == t.lang && t.lang != unknownLang {
			return i
		}
	}
	return -1
}

// columnOf returns the field of a section and language, nil when there is none.
func columnOf(row *schemas.Document, s section, lang string) *string {
	var columns [3]*string
	switch s {
	case title:
		columns = [...]*string{&row.TitleEN, &row.TitleDE, &row.TitleFR}
	case abstract:
		columns = [...]*string{&row.AbstractEN, &row.AbstractDE, &row.AbstractFR}
	case claims:
		columns = [...]*string{&row.ClaimsEN, &row.ClaimsDE, &row.ClaimsFR}
	case description:
		columns = [...]*string{&row.DescriptionEN, &row.DescriptionDE, &row.DescriptionFR}
	}
	switch lang {
	case english:
		return columns[0]
	case german:
		return columns[1]
	case french:
		return columns[2]
	}
	return nil
}
