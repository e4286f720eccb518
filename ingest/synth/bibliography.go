package synth

import "strconv"

// producedOn is when the files of one publication were made, in days after it.
func producedOn(d document) day { return d.published + 30 + day(d.ordinal) }

// bibliography writes everything before the texts.
func (a *author) bibliography(b []byte, p *patent, d document, cited bool) []byte {
	b = append(b, "<bibliographic-data><publication-reference"...)
	b = attribute(b, "ucid", ucid(p.n, d.kind))
	b = append(b, ` status="new">`...)
	b = documentID(b, "original", "EP", number(p.n), d.kind, d.published, true)
	b = append(b, "</publication-reference>"...)
	b = a.filing(b, p)
	b = append(b, `<technical-data status="new">`...)
	b = a.classifications(b, p, granted(d))
	for i, lang := range titleOrder(p) {
		b = append(b, "<invention-title"...)
		b = attribute(b, "lang", languageList[lang].code)
		b = append(b, ` load-source="ep" status="new">`...)
		b = a.title(b, p, &a.voices[lang])
		b = append(b, "</invention-title>"...)
		if i == len(languageList)-1 {
			b = append(b, '\n')
		}
	}
	if cited && d.kind == p.citesIn() {
		b = a.searchReport(b, p)
	}
	b = append(b, "</technical-data>"...)
	b = a.relations(b, p)
	b = a.parties(b, p)
	b = a.conventions(b, p)
	return append(b, "</bibliographic-data>"...)
}

func granted(d document) bool { return d.kind[0] == 'B' }

// titleOrder is German first and the language of the document before English or French, as the corpus has it in
// no fixed order.
func titleOrder(p *patent) [languages]int {
	if p.lang == languageFR {
		return [languages]int{languageFR, languageDE, languageEN}
	}
	return [languages]int{languageDE, languageEN, languageFR}
}

// filing writes the application and what priority it claims.
func (a *author) filing(b []byte, p *patent) []byte {
	application := p.applicationNumber()
	b = append(b, "<application-reference"...)
	b = attribute(b, "ucid", "EP-"+application+"-A")
	b = append(b, ` status="new" is-representative="NO">`...)
	b = documentID(b, "epo", "EP", application, "A", p.filing, true)
	b = append(b, "</application-reference>"...)
	if !p.claimsPriority {
		return b
	}
	r := draw(a.seed, forParties, uint64(p.root)|1<<50)
	country := countries[min(r.below(len(countries)), r.below(len(countries)))]
	claimed := strconv.Itoa(100_000 + r.below(900_000))
	b = append(b, `<priority-claims status="new"><priority-claim`...)
	b = attribute(b, "ucid", country+"-"+claimed+"-A")
	b = append(b, ` status="new">`...)
	b = documentID(b, "epo", country, claimed, "A", p.priority, true)
	return append(b, "</priority-claim></priority-claims>"...)
}

// searchReport writes the citations: those of the collection, and some of other offices outside it.
func (a *author) searchReport(b []byte, p *patent) []byte {
	r := draw(a.seed, forCitations, uint64(p.n)|1<<40)
	foreign := min(r.below(5), r.below(5))
	if len(a.citations)+foreign == 0 {
		return b
	}
	b = append(b, "<citations><patent-citations>"...)
	for _, c := range a.citations {
		b = patcit(b, "EP", number(c.patent.n), c.patent.firstKind(), "SEA", string(c.category))
	}
	for range foreign {
		source, category := "SEA", "A"
		if r.chance(0.4) {
			source, category = "APP", ""
		}
		b = patcit(b, "US", strconv.Itoa(2_000_000+r.below(2_500_000)), "A", source, category)
	}
	return append(b, "</patent-citations></citations>\n"...)
}

func patcit(b []byte, country, number, kind, source, category string) []byte {
	b = append(b, "<patcit"...)
	b = attribute(b, "ucid", country+"-"+number+"-"+kind)
	b = append(b, ` status="new">`...)
	b = documentID(b, "epo", country, number, kind, 0, false)
	b = append(b, "<sources><source"...)
	if category != "" {
		b = attribute(b, "category", category)
	}
	b = attribute(b, "name", source)
	return append(b, ` created-by-npl="N"/></sources></patcit>`...)
}

// relations links a division to the patent it was divided from.
func (a *author) relations(b []byte, p *patent) []byte {
	if p.root == p.n {
		return b
	}
	b = append(b, `<related-documents><relation type="division"><child-doc`...)
	b = attribute(b, "ucid", ucid(p.n, "A1"))
	b = append(b, "/><parent-doc"...)
	root := a.undivided(p.root)
	b = attribute(b, "ucid", ucid(p.root, root.firstKind()))
	return append(b, "/></relation></related-documents>"...)
}

// conventions writes the designated states and the WO document whose text a Euro-PCT application does not repeat.
func (a *author) conventions(b []byte, p *patent) []byte {
	b = append(b, "<international-convention-data>"...)
	if p.route == euroPCT {
		year := (p.filing + 200).time().Year()
		b = append(b, "<pct-or-regional-publishing-data"...)
		b = attribute(b, "ucid", "WO-"+strconv.Itoa(year)+string(appendPadded(nil, p.n%1_000_000, 6))+"-A1")
		b = append(b, "/>"...)
	}
	return append(b, "<designated-states><ep-contracting-states><country>DE</country><country>FR</country><country>GB</country>"+
		"</ep-contracting-states></designated-states></international-convention-data>"...)
}
