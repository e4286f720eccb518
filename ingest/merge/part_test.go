package merge

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"dssdnet/schemas"
)

var somePart = rapid.Custom(func(t *rapid.T) *part {
	p := &part{PatentID: rapid.StringMatching(`[A-Z]{2}-[0-9]{1,7}`).Draw(t, "id")}
	for _, s := range p.texts() {
		*s = rapid.String().Draw(t, "text")
	}
	for _, d := range p.dates() {
		if rapid.Bool().Draw(t, "has date") {
			day := schemas.Date(rapid.Int32().Draw(t, "day"))
			*d = &day
		}
	}
	for _, list := range p.lists() {
		*list = rapid.SliceOf(rapid.String()).Draw(t, "list")
	}
	p.Citations = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) schemas.Citation {
		return schemas.Citation{UCID: rapid.String().Draw(t, "u"), PatentID: rapid.String().Draw(t, "p"), Source: rapid.String().Draw(t, "s"), Category: rapid.String().Draw(t, "c")}
	}), 0, 4).Draw(t, "citations")
	return p
})

func TestPartRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := somePart.Draw(t, "part")
		data := want.append(nil)
		var got part
		if err := got.decode(want.PatentID, data); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if err := got.decode(want.PatentID, data[:cut]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a part", cut, len(data))
		}
	})
}

// TestPartHasEveryColumn holds parts against documents: the fields are columns of documents/ under the same tags, and
// encoding knows each.
func TestPartHasEveryColumn(t *testing.T) {
	document := reflect.TypeFor[schemas.Document]()
	parts := reflect.TypeFor[part]()
	var p part
	known := 1 + len(p.texts()) + len(p.dates()) + len(p.lists()) + 1 // patent id, citations
	if parts.NumField() != known {
		t.Errorf("part has %d fields, %d are encoded", parts.NumField(), known)
	}
	for i := range parts.NumField() {
		field := parts.Field(i)
		same, ok := document.FieldByName(field.Name)
		if !ok || same.Type != field.Type || same.Tag.Get("parquet") != field.Tag.Get("parquet") {
			t.Errorf("%s differs from the field of documents", field.Name)
		}
	}
}
