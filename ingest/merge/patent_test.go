package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

func TestMerged(t *testing.T) {
	day := func(n int) *schemas.Date { d := schemas.Date(n); return &d }
	a1 := &part{
		PatentID: "EP-0000001", UCID: "EP-0000001-A1", Country: "EP", Kind: "A1", FamilyID: "old family",
		PublicationDate: day(10), ApplicationDate: day(1),
		TitleEN: "old title", AbstractEN: "abstract", AbstractDE: "Zusammenfassung",
		IPCSubclasses: []string{"B01D", "A61K"},
		Citations: []schemas.Citation{
			{UCID: "EP-0000009-A1", PatentID: "EP-0000009", Source: "SEA", Category: "A"},
			{UCID: "EP-0000008-A1", PatentID: "EP-0000008", Source: "SEA", Category: "X"},
			{UCID: "not read", Source: "APP"},
		},
	}
	a3 := &part{
		PatentID: "EP-0000001", UCID: "EP-0000001-A3", Country: "EP", Kind: "A3", PublicationDate: day(20),
		Citations: []schemas.Citation{
			{UCID: "EP-0000009-B1", PatentID: "EP-0000009", Source: "EXA", Category: "Y"},
			{UCID: "EP-0000008-B1", PatentID: "EP-0000008", Category: "X"},
		},
	}
	b1 := &part{
		PatentID: "EP-0000001", UCID: "EP-0000001-B1", Country: "EP", Kind: "B1", PublicationDate: day(30), ApplicationDate: day(2),
		EarliestPriorityDate: day(-7), TitleEN: "new title", ClaimsEN: "claims", ClaimsFR: "revendications", DescriptionEN: "description",
		IPCSubclasses: []string{"A61K"}, CPCSubclasses: []string{"C07D"}, FamilyID: "new family",
	}
	want := &schemas.Patent{
		PatentID: "EP-0000001", Country: "EP", Kinds: []string{"A1", "A3", "B1"},
		Documents:       []string{"EP-0000001-A1", "EP-0000001-A3", "EP-0000001-B1"},
		PublicationDate: day(10), ApplicationDate: day(1), EarliestPriorityDate: day(-7), FamilyID: "new family",
		Title: "new title", Abstract: "abstract", AbstractDE: "Zusammenfassung", Claims: "claims", ClaimsFR: "revendications",
		Description: "description", TextLang: "en", IPCSubclasses: []string{"A61K", "B01D"}, CPCSubclasses: []string{"C07D"},
		Citations: []schemas.Citation{
			{UCID: "EP-0000008-B1", PatentID: "EP-0000008", Category: "X"}, // of the newer document
			{UCID: "EP-0000009-B1", PatentID: "EP-0000009", Source: "EXA", Category: "Y"},
			{UCID: "not read", Source: "APP"},
		},
	}
	for _, order := range [][]*part{{a1, a3, b1}, {b1, a3, a1}, {a3, b1, a1}} {
		if diff := cmp.Diff(want, merged(order)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTextLang(t *testing.T) {
	for want, p := range map[string]schemas.Patent{
		"en": {Abstract: "a", TitleDE: "b", TitleFR: "c"},
		"de": {AbstractDE: "a", TitleFR: "c", Claims: "English claims alone do not count"},
		"fr": {TitleFR: "c"},
		"":   {Description: "d"},
	} {
		if got := textLang(&p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
