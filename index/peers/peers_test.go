package peers

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dssdnet/index/analysis"
	"dssdnet/index/indextest"
	"dssdnet/schemas"
)

func TestFilesHaveTheTermsOfTheAnalyzer(t *testing.T) {
	patents, dir := t.TempDir(), t.TempDir()
	indextest.WriteTable(t, schemas.Patents, filepath.Join(patents, "a.parquet"), []schemas.Patent{
		{PatentID: "EP-1", Title: "Pumps and valves", Abstract: "A pump."}, {PatentID: "EP-2"},
	})
	indextest.WriteTable(t, schemas.Patents, filepath.Join(patents, "b.parquet"), []schemas.Patent{{PatentID: "EP-3", Title: "Rotor", Claims: "No."}})
	ids, err := WriteDocuments(dir, patents, analysis.Porter2)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"EP-1", "EP-2", "EP-3"}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
	if err := WriteTopics(dir, []Topic{{"T1", []string{"pump", "pump"}}, {"T2", nil}}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		documentsFile: "EP-1\tpump valv pump\nEP-2\t\nEP-3\trotor\n",
		topicsFile:    "T1\tpump pump\nT2\t\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestHits(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	for content, want := range map[string]map[string][]string{
		"T1 1 0\nT2\n": {"T1": {"b", "a"}, "T2": {}},
		"T1 2\n":       nil,
		"T1 -1\n":      nil,
		"T1 x\n":       nil,
	} {
		if err := os.WriteFile(run, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Hits(run, []string{"a", "b"})
		if !reflect.DeepEqual(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v; want %v", content, got, err, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	a, b := []string{"1", "2", "3", "4"}, []string{"4", "1"}
	for _, test := range []struct {
		got, want []string
		overlap   float64
	}{{a, b, 1}, {b, a, 0.5}, {nil, a, 0}, {a, nil, 1}} {
		if got := Overlap(test.got, test.want); got != test.overlap {
			t.Errorf("overlap of %v with %v is %v, want %v", test.got, test.want, got, test.overlap)
		}
	}
}

// TestLuceneRanksLikeBruteForce shows that the difference between Lucene and the textbook is the byte that Lucene keeps
// of a length: with exact lengths Lucene's ranking is that of brute force up to float32, and with bytes it is that of
// brute force over lengths cut to a byte.
func TestLuceneRanksLikeBruteForce(t *testing.T) {
	if !HasLucene() || testing.Short() {
		t.Skip("needs java 17 and mvn, and some seconds")
	}
	const hits = 100
	dir, patents := t.TempDir(), indextest.Small.Make()
	indextest.WriteTable(t, schemas.Patents, filepath.Join(dir, "patents", "a.parquet"), patents)
	ids, err := WriteDocuments(dir, filepath.Join(dir, "patents"), analysis.Words)
	if err != nil {
		t.Fatal(err)
	}
	documents := make(map[string][]string)
	for _, p := range patents {
		documents[p.PatentID] = strings.Fields(p.Title + " " + p.Abstract)
	}
	var topics []Topic
	for i, topic := range indextest.Topics(patents, 20, 1) {
		topics = append(topics, Topic{strconv.Itoa(i), strings.Fields(topic.Title + " " + topic.Abstract)})
	}
	if err := WriteTopics(dir, topics); err != nil {
		t.Fatal(err)
	}
	for lengths, keep := range map[Lengths]func(int) int{Exact: func(n int) int { return n }, Bytes: oneByte} {
		figures, err := Lucene(t.Context(), dir, hits, lengths)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Hits(figures.AllRun, ids)
		if err != nil {
			t.Fatal(err)
		}
		if figures.Documents != len(patents) || len(found) != len(topics) {
			t.Errorf("%s: %d documents, %d topics", lengths, figures.Documents, len(found))
		}
		for _, topic := range topics {
			if diff := differ(found[topic.ID], rank(documents, topic.Terms, keep), hits); diff != "" {
				t.Errorf("%s lengths, topic %s: %s", lengths, topic.ID, diff)
			}
		}
	}
}

// oneByte is what Lucene's norms keep of a length: below 24 all, from there four significant bits of what is over 24.
func oneByte(length int) int {
	const exact = 24
	if length < exact {
		return length
	}
	over := length - exact
	shift := 0
	for over>>shift >= 16 {
		shift++
	}
	return exact + over>>shift<<shift
}

// rank scores documents by the textbook formula over lengths as they are kept. The average is over the true ones.
func rank(documents map[string][]string, query []string, keep func(int) int) []indextest.Scored {
	const k1, b = 1.2, 0.75
	df, total, n := make(map[string]float64), 0.0, 0.0
	for _, terms := range documents {
		if total += float64(len(terms)); len(terms) > 0 {
			n++
		}
		for _, term := range slices.Compact(slices.Sorted(slices.Values(terms))) {
			df[term]++
		}
	}
	var ranking []indextest.Scored
	for id, terms := range documents {
		frequency := make(map[string]float64)
		for _, term := range terms {
			frequency[term]++
		}
		scored := indextest.Scored{ID: id}
		for _, term := range query {
			if f := frequency[term]; f > 0 {
				idf := math.Log(1 + (n-df[term]+0.5)/(df[term]+0.5))
				scored.Score += idf * f / (f + k1*(1-b+b*float64(keep(len(terms)))*n/total))
			}
		}
		if scored.Score > 0 {
			ranking = append(ranking, scored)
		}
	}
	slices.SortFunc(ranking, func(x, y indextest.Scored) int { return cmp.Compare(y.Score, x.Score) })
	return ranking
}

// differ says where the hits are not the first of the ranking, "" if they are. Documents whose scores float32 cannot
// tell apart may stand in any order.
func differ(got []string, want []indextest.Scored, hits int) string {
	scores := make(map[string]float64)
	for _, w := range want {
		scores[w.ID] = w.Score
	}
	if len(got) != min(hits, len(want)) {
		return strconv.Itoa(len(got)) + " hits"
	}
	for i, id := range got {
		if math.Abs(scores[id]-want[i].Score) > 1e-5*want[i].Score {
			return "rank " + strconv.Itoa(i+1) + " is " + id + ", want " + want[i].ID
		}
	}
	return ""
}
