package schemas

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/tables.md, and golden files of versions that have none yet")

func TestPageIsCurrent(t *testing.T) {
	path := filepath.Join("..", "docs", "tables.md")
	if *update {
		if err := os.WriteFile(path, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), Page()); diff != "" {
		t.Errorf("docs/tables.md is stale; run `go test ./schemas -update`:\n%s", diff)
	}
}

// TestGolden reads the golden file of every readable version. A golden file is never written again: when it cannot
// be read any more, the table needs a new version.
func TestGolden(t *testing.T) {
	golden(t, Documents, goldenDocuments())
	golden(t, Patents, []Patent{{
		PatentID: "EP-1000001", Country: "EP", Kinds: []string{"A1", "B1"}, Documents: []string{"EP-1000001-A1", "EP-1000001-B1"},
		PublicationDate: ParseDate("20000503"), FamilyID: "8241234", Title: "A rod", Claims: "1. A rod.", TitleDE: "Ein Stab",
		TextLang: "en", IPCSubclasses: []string{"A61K", "C07D"}, CPCSubclasses: []string{},
		Citations: []Citation{{UCID: "US-4000000-A", PatentID: "US-4000000", Source: "SEA", Category: "X"}},
	}})
	golden(t, Topics, []Topic{{
		TopicID: "PAC-1001", PatentID: "EP-1233512", UCID: "EP-1233512-A2", Set: "2010-test", Split: "test", Lang: "en",
		Title: "Mixer", EarliestPriorityDate: ParseDate("20010216"), IPCSubclasses: []string{"H03D"},
	}})
	golden(t, Qrels, []Qrel{{TopicID: "PAC-1001", PatentID: "EP-0734121", Grade: 2, Set: "2010-test"}})
	golden(t, Pools, []Pool{{TopicID: "PAC-1001", PatentID: "EP-0734121", Rank: 1, Score: 31.4, IndexBuild: "b1"}})
	golden(t, Metrics, []Metric{{TopicID: "PAC-1001", Measure: "PRES", Cutoff: 100, Value: 0.505, Model: "bm25", Pool: "bm25"}})
}

func goldenDocuments() []Document {
	return []Document{
		{
			UCID: "EP-1000001-A1", PatentID: "EP-1000001", Country: "EP", DocNumber: "1000001", Kind: "A1", Lang: "en", LangDetected: "en",
			PublicationDate: ParseDate("20000503"), PublicationDateRaw: "20000503", ApplicationDateRaw: "19990000",
			TitleEN: "A rod", TitleDE: "Ein Stab", AbstractEN: "CO2 at 10-3 bar", DescriptionFR: "Une tige\nen métal",
			OtherTexts: []OtherText{{Section: "title", Lang: "ja", Text: "棒"}},
			IPC: []Classification{{Symbol: "A61K 31/00", Section: "A", Class: "A61", Subclass: "A61K", MainGroup: "31", Subgroup: "00",
				Version: "20060101", Level: "A", Position: "F", Value: "I", Source: "H"}},
			IPCSubclasses: []string{"A61K"}, CPC: []Classification{}, CPCSubclasses: []string{},
			Citations:  []Citation{{UCID: "US-4000000-A", PatentID: "US-4000000", Source: "SEA", Category: "X"}},
			Applicants: []string{"ACME"}, Inventors: []string{"DOE JANE"}, Dialect: "clef-ip", TextBytes: 44,
			Truncated: true, Warnings: []string{"abstract cut at 15 bytes"},
			Source: Source{Topic: TopicXML, Partition: 3, Offset: 17, Timestamp: 951782400000000, Path: "a.tar.gz!EP/1.xml", ByteEnd: 812, SHA256: "ab"},
		},
		{UCID: "EP-1000002-B1", PatentID: "EP-1000002", Country: "EP", DocNumber: "1000002", OtherTexts: []OtherText{}, IPC: []Classification{},
			IPCSubclasses: []string{}, CPC: []Classification{}, CPCSubclasses: []string{}, Citations: []Citation{},
			Applicants: []string{}, Inventors: []string{}, Dialect: "clef-ip", Warnings: []string{}},
	}
}

func golden[R any](t *testing.T, table Table, want []R) {
	t.Helper()
	path := filepath.Join("testdata", strings.ReplaceAll(table.Tag(), "/", "-")+".parquet")
	if _, err := os.Stat(path); *update && os.IsNotExist(err) {
		var b bytes.Buffer
		w := NewWriter[R](table, &b)
		if _, err := w.Write(want); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadAll[R](table, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s reads differently (- want, + got):\n%s", path, diff)
	}
}

func TestGoldenArrow(t *testing.T) {
	path := filepath.Join("testdata", "pairs-1.arrow")
	if _, err := os.Stat(path); *update && os.IsNotExist(err) {
		writeGoldenPairs(t, path)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := ipc.NewFileReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := Pairs.Check(r.Schema()); err != nil {
		t.Fatal(err)
	}
	if !r.Schema().Equal(Pairs.Schema()) {
		t.Errorf("fields of version %d have changed without a new version:\n%s\n%s", Pairs.Version, r.Schema(), Pairs.Schema())
	}
	record, err := r.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := record.Column(2).(*array.String).Value(0); got != "EP-0734121" {
		t.Errorf("doc_id is %q", got)
	}
	if got := record.Column(9).ValueStr(0); got != "gold" {
		t.Errorf("source is %q", got)
	}
	if !record.Column(14).IsNull(0) {
		t.Error("an absent doc_abstract is not NULL")
	}
}

func writeGoldenPairs(t *testing.T, path string) {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, Pairs.Schema())
	defer b.Release()
	for i, s := range []string{"PAC-1001", "EP-1233512", "EP-0734121"} {
		b.Field(i).(*array.StringBuilder).Append(s)
	}
	for _, i := range []int{3, 4, 6, 7, 8} {
		b.Field(i).(*array.Int8Builder).Append(1)
	}
	b.Field(5).(*array.BooleanBuilder).Append(true)
	if err := b.Field(9).(*array.BinaryDictionaryBuilder).AppendString("gold"); err != nil {
		t.Fatal(err)
	}
	b.Field(10).(*array.Int32Builder).Append(12)
	for _, i := range []int{11, 12, 13} {
		b.Field(i).(*array.StringBuilder).Append("mixer")
	}
	b.Field(14).AppendNull()
	record := b.NewRecord()
	defer record.Release()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(record.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCheck(t *testing.T) {
	table := Table{Name: "patents", Version: 3, Floor: 2}
	for tag, want := range map[string]string{
		"patents/3": "", "patents/2": "", "patents/4": "newer dssdnet", "patents/1": "older than", "pools/3": "not a patents file", "": "not a patents file",
	} {
		err := table.Check(tag)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Check(%q) = %v, want %q", tag, err, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for raw, want := range map[string]string{"20060102": "2006-01-02", "19010101": "1901-01-01", "19700101": "1970-01-01"} {
		if got := ParseDate(raw); got == nil || got.String() != want {
			t.Errorf("ParseDate(%q) = %v, want %s", raw, got, want)
		}
	}
	for _, raw := range []string{"20000600", "19000100", "0", "", "2006-01-02", "20061301"} {
		if got := ParseDate(raw); got != nil {
			t.Errorf("ParseDate(%q) = %s, want none", raw, got)
		}
	}
}
