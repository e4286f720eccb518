package tables_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/eval/tables"
	"dssdnet/index/indextest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestPatentTexts(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	var rows []schemas.Patent
	for i := range 3000 {
		id := "EP-" + strings.Repeat("0", 3) + string(rune('0'+i/1000)) + string(rune('0'+i/100%10)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
		rows = append(rows, schemas.Patent{PatentID: id, Title: "title " + id, Abstract: strings.Repeat("a "+id+" ", 200), IPCSubclasses: []string{"A61K", "B60R"}})
	}
	rows[2999].Title, rows[2999].TitleDE, rows[2999].Abstract, rows[2999].IPCSubclasses = "", "Getriebe", "", nil
	indextest.WriteTable(t, schemas.Patents, filepath.Join(ws.Table("patents"), "a.parquet"), rows[:1000])
	indextest.WriteTable(t, schemas.Patents, filepath.Join(ws.Table("patents"), "b.parquet"), rows[1000:])
	got, err := tables.PatentTexts(t.Context(), ws, map[string]bool{"EP-0000007": true, "EP-0001000": true, "EP-0002999": true, "EP-9999999": true})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]tables.Text{
		"EP-0000007": {rows[7].Title, rows[7].Abstract, rows[7].IPCSubclasses},
		"EP-0001000": {rows[1000].Title, rows[1000].Abstract, rows[1000].IPCSubclasses},
		"EP-0002999": {Title: "Getriebe"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := tables.PatentTexts(t.Context(), workspace.Dir(t.TempDir()), map[string]bool{"EP-0000007": true}); err != nil || len(got) != 0 {
		t.Errorf("without patents/: %v, %v", got, err)
	}
}

func TestEachNamesTheFile(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	indextest.WriteTable(t, schemas.Qrels, filepath.Join(ws.Table("topics"), "x.parquet"), []schemas.Qrel{{TopicID: "1"}})
	err := tables.Each(t.Context(), ws.Table("topics"), schemas.Topics, func(string, *schemas.Topic) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "topics file x.parquet: not a topics file") {
		t.Errorf("error %v", err)
	}
}
