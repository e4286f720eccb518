package trec

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

func textFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".gz") && !strings.HasPrefix(text, "\x1f") {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		fmt.Fprint(z, text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		text = zipped.String()
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func ids(ranking []Candidate) string {
	var all []string
	for _, c := range ranking {
		all = append(all, c.ID)
	}
	return strings.Join(all, " ")
}

// TestOrder: scores decide and ranks do not; equal scores, as float32, are in descending order of the id.
func TestOrder(t *testing.T) {
	const text = "\xef\xbb\xbf" + `1 Q0 EP-1000003 1 0.5 tag

1 Q0	EP-1000009 2	0.25 tag
1 Q0 EP-1000001 3 0.500000001 tag
1 Q0 EP-1000005 4 9e-1 tag
1 Q0 EP-1000007 5 0.25 tag
2 Q0 b 1 -3 tag
`
	for name, test := range map[string]struct {
		options Options
		want    string
	}{
		"float32": {Options{}, "EP-1000005 EP-1000003 EP-1000001 EP-1000009 EP-1000007"},
		"exact":   {Options{Exact: true}, "EP-1000005 EP-1000001 EP-1000003 EP-1000009 EP-1000007"},
	} {
		for _, file := range []string{"run.txt", "run.gz"} {
			r, err := ReadRun(t.Context(), textFile(t, file, text), test.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(r.Ranking("1")); got != test.want {
				t.Errorf("%s: %s, want %s", name, got, test.want)
			}
			if r.Tag != "tag" || !slices.Equal(r.Topics(), []string{"1", "2"}) || r.Ranking("3") != nil || r.Input.Size == 0 || len(r.Input.SHA256) != 64 {
				t.Errorf("%s: tag %s, topics %v, input %+v", name, r.Tag, r.Topics(), r.Input)
			}
		}
	}
}

func TestDuplicatesAndIDs(t *testing.T) {
	path := textFile(t, "run", `1 Q0 EP-449433-A1 1 3 t
1 Q0 EP-0449433-B1 2 5 t
2 Q0 doc-1 1 1 t
1 Q0 EP-0449433 3 1 t
1 Q0 US-04228795 4 4 t
2 Q0 AP-X-1 1 1 t
`)
	r, err := ReadRun(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(r.Ranking("1")); got != "EP-0449433 US-4228795" || r.Ranking("1")[0].Score != 5 {
		t.Errorf("%v", r.Ranking("1"))
	}
	if got := ids(r.Ranking("2")); got != "doc-1 AP-X-1" {
		t.Errorf("other ids became %s", got)
	}
	want := Counts{Rows: 6, Topics: 2, CanonicalIDs: 3, Duplicates: 2, TiedRows: 1, Scattered: 2, ScatteredTopic: "1"}
	if diff := cmp.Diff(want, r.Counts); diff != "" {
		t.Error(diff)
	}
	if r, err = ReadRun(t.Context(), path, Options{RawIDs: true}); err != nil || ids(r.Ranking("1")) != "EP-0449433-B1 US-04228795 EP-449433-A1 EP-0449433" {
		t.Errorf("raw: %v, %v", r.Ranking("1"), err)
	}
}

func TestBadRuns(t *testing.T) {
	good := "PAC-1 Q0 EP-1000001 1 1.5 t\n"
	for name, test := range map[string]struct{ text, says string }{
		"nan.txt":     {good + "PAC-1 Q0 EP-1000002 2 NaN t\n", "nan.txt:2: topic PAC-1: the score of EP-1000002 is NaN"},
		"inf.txt":     {good + good + "\nPAC-2 Q0 EP-1000002 2 -inf t\n", "inf.txt:4: topic PAC-2: the score of EP-1000002 is -Inf"},
		"huge.txt":    {good + "PAC-1 Q0 EP-1000002 2 1e300 t\n", "huge.txt:2: topic PAC-1: the score of EP-1000002 is too large for float32"},
		"huger.txt":   {"PAC-1 Q0 EP-1000002 2 1e999 t\n", "huger.txt:1: topic PAC-1: the score of EP-1000002 is +Inf"},
		"word.txt":    {"PAC-1 Q0 EP-1000002 2 high t\n", `word.txt:1: topic PAC-1: the score "high" is not a number`},
		"five.txt":    {"PAC-1 Q0 EP-1000002 2 1\n", "five.txt:1: 5 columns"},
		"qrels.txt":   {"PAC-1 0 EP-1000002 2\n", "is it a qrels file?"},
		"seven.txt":   {"PAC-1 Q0 EP-1000002 2 1 my tag\n", "seven.txt:1: 7 columns"},
		"empty.txt":   {"", "empty.txt is empty"},
		"blank.gz":    {"\n\n", "blank.gz is empty"},
		"long.txt":    {strings.Repeat("x", maxLine+1), "it is no run file"},
		"nogzip.gz":   {"\x1f\x8bxxxxxxxxxxxxxxx", "begins as gzip and is none"},
		"missing.txt": {"", "cannot be read"},
	} {
		path := textFile(t, name, test.text)
		if name == "missing.txt" {
			path += "x"
		}
		if _, err := ReadRun(t.Context(), path, Options{}); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
	}
	whole, err := os.ReadFile(textFile(t, "cut.gz", strings.Repeat(good, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRun(t.Context(), textFile(t, "cut.gz", string(whole[:len(whole)-6])), Options{}); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("error %v", err)
	}
}

// TestLineOrderMeansNothing: a run in any order of its lines is the same run.
func TestLineOrderMeansNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type row struct {
			topic, id string
			score     float64
		}
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) row {
			return row{
				rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "topic"),
				fmt.Sprintf("EP-%07d", rapid.IntRange(1, 30).Draw(t, "id")), float64(rapid.IntRange(0, 9).Draw(t, "score")),
			}
		}), 1, 60).Draw(rt, "rows")
		build := func(rows []row) *Run {
			b := NewBuilder(Options{})
			for _, r := range rows {
				if err := b.Add(r.topic, r.id, r.score); err != nil {
					rt.Fatal(err)
				}
			}
			return b.Run()
		}
		one, other := build(rows), build(rapid.Permutation(rows).Draw(rt, "other"))
		for _, topic := range []string{"1", "2", "3"} {
			if diff := cmp.Diff(one.Ranking(topic), other.Ranking(topic)); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}

func TestCanonicalIDs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`(EP|US|WO|DE|ep|us)-[0D]{0,2}[0-9]{1,9}(-[AB][1-9]?)?`).Draw(rt, "id")
		u, err := schemas.ParseUCID(text)
		if err != nil {
			rt.Fatal(err)
		}
		got, changed := canonical([]byte(text))
		if !changed {
			got = text
		}
		if got != u.PatentID() || changed != (text != u.PatentID()) {
			rt.Fatalf("%s is %s, changed %v, want %s", text, got, changed, u.PatentID())
		}
	})
	for _, id := range []string{"FT911-3", "FBIS3-1", "AP880212-0001", "LA-DOC-0001", "d1", "AP-", "7", "EP-1-2-3", "MS-MARCO"} {
		if got, changed := canonical([]byte(id)); changed {
			t.Errorf("%s became %s", id, got)
		}
	}
}

func TestCollapsed(t *testing.T) {
	if !Collapsed([]Candidate{{"a", 1}, {"b", 1}}) || Collapsed([]Candidate{{"a", 1}, {"b", 0.5}}) || Collapsed([]Candidate{{"a", 1}}) || Collapsed(nil) {
		t.Error("a ranking of two or more with equal scores is collapsed, no other")
	}
}
