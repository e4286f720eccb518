package merge

import (
	"slices"
	"strings"
	"testing"

	"dssdnet/schemas"
)

func TestKindOrder(t *testing.T) {
	want := "C2 C1 C B9 B8 B3 B2 B1 B T3 S1 S P3 P2 P1 P H1 H E1 E A9 A8 A4 A3 A2 A1 A "
	kinds := strings.Split(want, " ") // the last is no kind
	slices.Sort(kinds)
	var parts []*part
	for _, kind := range kinds {
		parts = append(parts, &part{UCID: "EP-1", Kind: kind})
	}
	slices.SortFunc(parts, newestFirst)
	var got []string
	for _, p := range parts {
		got = append(got, p.Kind)
	}
	// Letters between A and B stand for patents of their own; only their digits matter.
	if strings.Join(got, " ") != "C2 C1 C B9 B8 B3 B2 B1 B T3 P3 P2 S1 P1 H1 E1 S P H E A9 A8 A4 A3 A2 A1 A " {
		t.Errorf("order %q", strings.Join(got, " "))
	}
}

func TestDateThenUCID(t *testing.T) {
	early, late := schemas.Date(-5), schemas.Date(5)
	want := []*part{
		{UCID: "EP-1-A1", Kind: "A1", PublicationDate: &late},
		{UCID: "EP-2-A1", Kind: "A1", PublicationDate: &early},
		{UCID: "EP-1-A1", Kind: "A1", PublicationDate: &early},
		{UCID: "EP-9-A1", Kind: "A1"},
		{UCID: "EP-3-A1", Kind: "A1"},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, newestFirst)
	if !slices.Equal(got, want) {
		t.Errorf("order %+v", got)
	}
}

func TestCategoryOrder(t *testing.T) {
	for i, list := range [][]string{{""}, {"P", "D", "UNKNOWN"}, {"A", "a", "AD"}, {"Y", "YD", "YA"}, {"X", "PX", "XY", "x"}} {
		for _, category := range list {
			if got := categoryOrder(category); got != i {
				t.Errorf("%q is %d, want %d", category, got, i)
			}
		}
	}
}
