package synth

import (
	"bytes"
	"strconv"
)

var (
	givenNames = [...]string{"Anna", "Bernd", "Claire", "David", "Elena", "François", "Georg", "Helen", "Ingrid", "Jörg",
		"Katrin", "Louis", "Maria", "Niels", "Olga", "Pierre", "Renate", "Stefan", "Takeshi", "Ulrich", "Véronique", "William"}
	companyForms = [...]string{" GmbH", " AG", " S.A.", " Ltd.", " Inc.", " Corporation", " B.V.", " &amp; Co. KG", " SpA", " K.K."}
	countries    = [...]string{"DE", "US", "JP", "FR", "GB", "NL", "IT", "CH", "SE", "KR"}
	cities       = [...]string{"80331 München", "London WC1A 1LW", "75008 Paris", "Osaka 541-0041", "6541 BS Nijmegen", "Cambridge, MA 02139"}
)

// companiesPerSubclass file most applications of a field, the first ones many more than the last.
const companiesPerSubclass = 60

// parties writes applicants and inventors, each person in the three formats of the corpus: the office's, a middle
// one and as filed.
func (u *universe) parties(b []byte, p *patent) []byte {
	r := draw(u.seed, forParties, uint64(p.root))
	company := min(r.below(companiesPerSubclass), r.below(companiesPerSubclass), r.below(companiesPerSubclass))
	id := draw(u.seed, forParties, 1<<40|uint64(p.subclasses.main())<<8|uint64(company))
	b = append(b, "<parties><applicants>"...)
	name := capital(string(u.words.languages[id.below(languages)].appendWord(nil, id.next(), 2)))
	form := companyForms[id.below(len(companyForms))]
	b = party(b, "applicant", name+form, name+form, &id)
	b = append(b, "</applicants><inventors>"...)
	for range min(r.below(4), r.below(4)) + 1 {
		last := capital(string(u.words.languages[p.lang].appendWord(nil, r.next(), 2)))
		given := givenNames[r.below(len(givenNames))]
		b = party(b, "inventor", last+" "+given, last+", "+given, &r)
	}
	return append(b, "</inventors></parties>"...)
}

// party writes one person. The names are already escaped; their upper case is too, for only &amp; occurs in them.
func party(b []byte, element, office, filed string, r *random) []byte {
	city := cities[r.below(len(cities))]
	street := strconv.Itoa(1 + r.below(90))
	country := countries[min(r.below(len(countries)), r.below(len(countries)))]
	open := func(format string) {
		b = append(b, '<')
		b = append(b, element...)
		b = append(b, ` format="`...)
		b = append(b, format...)
		b = append(b, `" status="new"><addressbook>`...)
	}
	end := func() {
		b = append(b, "</addressbook>"...)
		b = closeTag(b, element)
	}
	open("epo")
	b = upper(tagged(b, "name", office), len(office), "</name>")
	b = append(b, "<address>"...)
	b = tagged(b, "country", country)
	b = append(b, "</address>"...)
	end()
	open("intermediate")
	b = upper(tagged(b, "name", filed), len(filed), "</name>")
	end()
	open("original")
	b = tagged(b, "last-name", filed)
	b = append(b, "<address>"...)
	b = tagged(b, "street", "Synthetic Road "+street)
	b = tagged(b, "city", city)
	b = tagged(b, "country", country)
	b = append(b, "</address>"...)
	end()
	return append(b, '\n')
}

// upper raises the n bytes of b before its suffix to capitals, the entity &amp; excepted.
func upper(b []byte, n int, suffix string) []byte {
	at := len(b) - len(suffix) - n
	name := bytes.ReplaceAll(bytes.ToUpper(b[at:at+n]), []byte("&AMP;"), []byte("&amp;"))
	return append(append(b[:at], name...), suffix...)
}
