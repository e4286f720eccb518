package merge

import (
	"cmp"
	"slices"

	"dssdnet/schemas"
)

// merged makes the patent of its documents, of which there is at least one. The result does not depend on their
// order.
func merged(parts []*part) *schemas.Patent {
	slices.SortFunc(parts, newestFirst)
	p := &schemas.Patent{PatentID: parts[0].PatentID, Country: parts[0].Country}
	for _, d := range parts {
		if d.Kind != "" {
			p.Kinds = append(p.Kinds, d.Kind)
		}
		p.Documents = append(p.Documents, d.UCID)
		p.PublicationDate = earliest(p.PublicationDate, d.PublicationDate)
		p.ApplicationDate = earliest(p.ApplicationDate, d.ApplicationDate)
		p.EarliestPriorityDate = earliest(p.EarliestPriorityDate, d.EarliestPriorityDate)
		for _, section := range []struct {
			to   *string
			from string
		}{
			{&p.FamilyID, d.FamilyID},
			{&p.Title, d.TitleEN}, {&p.TitleDE, d.TitleDE}, {&p.TitleFR, d.TitleFR},
			{&p.Abstract, d.AbstractEN}, {&p.AbstractDE, d.AbstractDE}, {&p.AbstractFR, d.AbstractFR},
			{&p.Claims, d.ClaimsEN}, {&p.ClaimsDE, d.ClaimsDE}, {&p.ClaimsFR, d.ClaimsFR},
			{&p.Description, d.DescriptionEN}, {&p.DescriptionDE, d.DescriptionDE}, {&p.DescriptionFR, d.DescriptionFR},
		} {
			*section.to = cmp.Or(*section.to, section.from)
		}
		p.IPCSubclasses = append(p.IPCSubclasses, d.IPCSubclasses...)
		p.CPCSubclasses = append(p.CPCSubclasses, d.CPCSubclasses...)
	}
	p.Kinds, p.Documents = distinct(p.Kinds), distinct(p.Documents)
	p.IPCSubclasses, p.CPCSubclasses = distinct(p.IPCSubclasses), distinct(p.CPCSubclasses)
	p.Citations = strongest(parts)
	p.TextLang = textLang(p)
	return p
}

func earliest(a, b *schemas.Date) *schemas.Date {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// strongest unites the citations of documents in newest-first order: each cited patent once, sorted. Of several
// citations of one patent the strongest category stays, of equal ones that of the newest document.
func strongest(parts []*part) []schemas.Citation {
	var all []schemas.Citation
	for _, d := range parts {
		all = append(all, d.Citations...)
	}
	slices.SortStableFunc(all, func(a, b schemas.Citation) int {
		return cmp.Or(cmp.Compare(cited(a), cited(b)), cmp.Compare(categoryOrder(b.Category), categoryOrder(a.Category)))
	})
	return slices.CompactFunc(all, func(a, b schemas.Citation) bool { return cited(a) == cited(b) })
}

// cited is the patent that a citation names. One whose id could not be read counts by its own words.
func cited(c schemas.Citation) string { return cmp.Or(c.PatentID, c.UCID) }

// textLang is the best language that has a title or an abstract.
func textLang(p *schemas.Patent) string {
	switch {
	case p.Title != "" || p.Abstract != "":
		return "en"
	case p.TitleDE != "" || p.AbstractDE != "":
		return "de"
	case p.TitleFR != "" || p.AbstractFR != "":
		return "fr"
	default:
		return ""
	}
}

// textBytes is the size of a patent's texts.
func textBytes(p *schemas.Patent) int64 {
	return int64(len(p.Title) + len(p.TitleDE) + len(p.TitleFR) + len(p.Abstract) + len(p.AbstractDE) + len(p.AbstractFR) +
		len(p.Claims) + len(p.ClaimsDE) + len(p.ClaimsFR) + len(p.Description) + len(p.DescriptionDE) + len(p.DescriptionFR))
}
