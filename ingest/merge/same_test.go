package merge

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// someDocuments draws the rows of a topic: several versions of documents of a few patents.
func someDocuments(t *rapid.T) []schemas.Document {
	text := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-z]{1,30}`))
	date := rapid.OneOf(rapid.Just((*schemas.Date)(nil)), rapid.Map(rapid.Int32Range(-3, 3), func(n int32) *schemas.Date { d := schemas.Date(n); return &d }))
	subclasses := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A61K", "B01D", "H04L"}), 0, 3, rapid.ID[string])
	citation := rapid.Custom(func(t *rapid.T) schemas.Citation {
		n := rapid.IntRange(1, 3).Draw(t, "cited")
		return schemas.Citation{
			UCID: fmt.Sprintf("EP-000000%d-A%d", n, rapid.IntRange(1, 2).Draw(t, "kind")), PatentID: fmt.Sprintf("EP-000000%d", n),
			Category: rapid.SampledFrom([]string{"", "X", "Y", "A", "P"}).Draw(t, "category"),
		}
	})
	patents := rapid.SampledFrom([]string{"EP-0000001", "EP-0000002", "EP-0000009", "EP-0100000", "EP-1000000", "US-1", "US-12", "US-D1", "WO-1981000106"})
	rows := make([]schemas.Document, rapid.IntRange(1, 30).Draw(t, "rows"))
	for i := range rows {
		ucid := patents.Draw(t, "patent") + "-" + rapid.SampledFrom([]string{"A1", "A2", "B1", "B9", "S"}).Draw(t, "kind")
		rows[i] = document(ucid, int64(i), func(d *schemas.Document) {
			d.TitleEN, d.AbstractEN, d.ClaimsEN, d.DescriptionDE = text.Draw(t, "title"), text.Draw(t, "abstract"), text.Draw(t, "claims"), text.Draw(t, "description")
			d.FamilyID = rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "family")
			d.PublicationDate, d.DateProduced = date.Draw(t, "published"), date.Draw(t, "produced")
			d.Status = rapid.SampledFrom([]string{"", "", "new", "corrected", "deleted"}).Draw(t, "status")
			d.IPCSubclasses, d.Citations = subclasses.Draw(t, "ipc"), rapid.SliceOfN(citation, 0, 4).Draw(t, "citations")
			d.Source.Timestamp = int64(rapid.IntRange(0, 2).Draw(t, "time"))
		})
	}
	return rows
}

// expected is the table by the rule, the slow way.
func expected(rows []schemas.Document) []schemas.Patent {
	newest := map[string]schemas.Document{}
	for _, d := range rows {
		if old, ok := newest[d.UCID]; !ok || newer(d, old) {
			newest[d.UCID] = d
		}
	}
	groups := map[string][]*part{}
	for _, d := range newest {
		if d.Status != "deleted" {
			groups[d.PatentID] = append(groups[d.PatentID], &part{
				PatentID: d.PatentID, UCID: d.UCID, Country: d.Country, Kind: d.Kind, FamilyID: d.FamilyID, PublicationDate: d.PublicationDate,
				TitleEN: d.TitleEN, AbstractEN: d.AbstractEN, ClaimsEN: d.ClaimsEN, DescriptionDE: d.DescriptionDE,
				IPCSubclasses: d.IPCSubclasses, Citations: d.Citations,
			})
		}
	}
	var patents []schemas.Patent
	for _, parts := range groups {
		patents = append(patents, *merged(parts))
	}
	slices.SortFunc(patents, func(a, b schemas.Patent) int { return cmp.Compare(a.PatentID, b.PatentID) })
	return patents
}

func newer(a, b schemas.Document) bool {
	return cmp.Or(cmp.Compare(day(a.DateProduced), day(b.DateProduced)), cmp.Compare(a.Source.Timestamp, b.Source.Timestamp),
		cmp.Compare(a.Source.Offset, b.Source.Offset)) > 0
}

// TestSameWhateverTheBatches merges the same rows at once, in batches after each of which a merge runs, in files of
// other sizes, in another order, and with everything sent again.
func TestSameWhateverTheBatches(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := someDocuments(rt)
		c := config(t)
		c.FileBytes = settings.Bytes(rapid.SampledFrom([]int{1, 40, 150, 1 << 20}).Draw(rt, "file bytes"))
		addDocuments(t, c.Workspace, "all", rows...)
		mustRun(t, c)
		want := contents(t, c.Workspace)
		if diff := gocmp.Diff(expected(rows), patents(t, c.Workspace), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatal(diff)
		}

		shuffled := rapid.Permutation(rows).Draw(rt, "order")
		c.Workspace = workspace.Dir(t.TempDir())
		for i, name := range rapid.Permutation([]string{"a", "b", "c"}).Draw(rt, "names") {
			n := len(shuffled) / (3 - i)
			addDocuments(t, c.Workspace, name, shuffled[:n]...)
			shuffled = shuffled[n:]
			if rapid.Bool().Draw(rt, "merge now") && n > 0 {
				mustRun(t, c)
			}
		}
		mustRun(t, c)
		if diff := gocmp.Diff(want, contents(t, c.Workspace)); diff != "" {
			rt.Fatalf("in batches: %s", diff)
		}

		var again []schemas.Document
		for _, d := range rows {
			d.Source.Offset += 1000
			again = append(again, d)
		}
		addDocuments(t, c.Workspace, "again", again...)
		mustRun(t, c)
		if diff := gocmp.Diff(want, contents(t, c.Workspace)); diff != "" {
			rt.Fatalf("sent again: %s", diff)
		}
	})
}
