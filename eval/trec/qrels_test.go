package trec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/fault"
)

func TestQrels(t *testing.T) {
	for name, test := range map[string]struct {
		text   string
		golds  []Gold
		counts QrelsCounts
	}{
		"2010": {
			"P 0 EP-2-A1 1\nP 0 EP-0000002-B1 2\nP 0 EP-1000001 1\nP 0 EP-3-A1 0\nQ 0 EP-4 0\n",
			[]Gold{{"EP-0000002", 2}, {"EP-1000001", 1}},
			QrelsCounts{Rows: 5, CanonicalIDs: 4, Merged: 1, NotRelevant: 2, TopicsWithoutGold: 1},
		},
		"2010 with language": {"P 0 EP-1000001-A1 2 EN\n", []Gold{{"EP-1000001", 2}}, QrelsCounts{Rows: 1, CanonicalIDs: 1}},
		"2011":               {"P\tEP-1000001\t1\r\n", []Gold{{"EP-1000001", 1}}, QrelsCounts{Rows: 1}},
		"2011 with language": {"P\tEP-1000001\t1\tDE\n", []Gold{{"EP-1000001", 1}}, QrelsCounts{Rows: 1}},
		"other ids":          {"P 0 doc-9 1\nP 0 doc-1 -1\n", []Gold{{"doc-9", 1}}, QrelsCounts{Rows: 2, NotRelevant: 1}},
	} {
		for _, file := range []string{"q.txt", "q.gz"} {
			q, err := ReadQrels(t.Context(), textFile(t, file, test.text), Options{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff(test.golds, q.Golds("P")); diff != "" || !slices.Equal(q.Topics(), []string{"P"}) {
				t.Errorf("%s: %v %s", name, q.Topics(), diff)
			}
			if diff := cmp.Diff(test.counts, q.Counts); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestBadQrels(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"five.txt":   {"P 0 EP-1 1\nP 0 EP-2 1 0.5\n", "five.txt:2: 5 columns"},
		"mixed.txt":  {"P 0 EP-1 1\nP EP-2 1\n", "mixed.txt:2: 3 columns, the file began with 4"},
		"run.txt":    {"P Q0 EP-1 1 1.5 tag\n", "is it a run file?"},
		"grade.txt":  {"P 0 EP-1 high\n", `grade.txt:1: the grade "high" is not a whole number`},
		"frac.txt":   {"P 0 EP-1 1.5\n", "not a whole number"},
		"large.txt":  {"P 0 EP-1 99999\n", "out of range"},
		"zeroes.txt": {"P 0 EP-1 0\n", "no relevant patent in 1 lines"},
		"empty.txt":  {"", "no relevant patent in 0 lines"},
	} {
		if _, err := ReadQrels(t.Context(), textFile(t, name, test.text), Options{}); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one about %q", name, err, test.says)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("1 Q0 EP-1 1 2.5 t\n")
	f.Add("1 0 EP-1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := textFile(t, "f", text)
		if r, err := ReadRun(t.Context(), path, Options{}); err == nil {
			for _, topic := range r.Topics() {
				ranking := r.Ranking(topic)
				if len(ranking) == 0 || !slices.IsSortedFunc(ranking, Compare) {
					t.Errorf("topic %s: %v", topic, ranking)
				}
			}
		} else if fault.KindOf(err) != fault.Rejected {
			t.Error(err)
		}
		if q, err := ReadQrels(t.Context(), path, Options{}); err == nil && len(q.Golds(q.Topics()[0])) == 0 {
			t.Error("a topic without a gold")
		} else if err != nil && fault.KindOf(err) != fault.Rejected {
			t.Error(err)
		}
	})
}

func BenchmarkReadRun(b *testing.B) {
	var text strings.Builder
	const topics, hits = 200, 1000
	for t := range topics {
		for rank := range hits {
			fmt.Fprintf(&text, "EP-%07d-A2 Q0 EP-%07d %d %.6f bm25\n", 1000000+t, (t*7919+rank*104729)%2600000, rank+1, 90/float64(rank+1))
		}
	}
	path := textFile(b, "run.txt", text.String())
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := ReadRun(b.Context(), path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
