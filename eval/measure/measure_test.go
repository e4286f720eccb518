package measure

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func binary(n int, ranks ...int) *Topic {
	grades := make([]int, n)
	for i := range grades {
		grades[i] = 1
	}
	var found []Gold
	for _, r := range ranks {
		found = append(found, Gold{Rank: r, Grade: 1})
	}
	t := NewTopic(grades, found)
	return &t
}

func value(t testing.TB, name string, topic *Topic) float64 {
	t.Helper()
	m, err := Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	v, ok := m.Of(topic)
	if !ok {
		t.Fatalf("%s has no value", name)
	}
	return v
}

// TestVectors holds values that were worked out by hand.
func TestVectors(t *testing.T) {
	for name, test := range map[string]struct {
		topic                      *Topic
		k                          int
		recall, ap, mapPaper, pres float64
	}{
		"E1":  {binary(4, 1), 100, .25, .25, 1, .25},
		"E2":  {binary(3, 2, 5, 9), 10, 1, .4111, .4111, .6667},
		"E3a": {binary(5, 7, 150), 100, .2, .0286, .1429, .188},
		"E3b": {binary(5, 7, 150), 200, .4, .0312, .0781, .246},
		"E3c": {binary(5, 7, 150), 400, .4, .0312, .0781, .323},
		"E4":  {binary(4, 50, 51, 53, 54), 100, 1, .0475, .0475, .505},
		"E5":  {binary(4, 1, 98, 99, 100), 100, 1, .2727, .2727, .28},
		"E6":  {binary(3), 100, 0, 0, 0, 0},
		"E7":  {binary(4, 1, 2, 3, 4), 100, 1, 1, 1, 1},
	} {
		for measure, want := range map[string]float64{"Recall": test.recall, "AP": test.ap, "MAP": test.mapPaper, "PRES": test.pres} {
			m, err := Parse(measure)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := m.At(test.k).Of(test.topic); !ok || math.Abs(got-want) > 0.5e-4+1e-12 {
				t.Errorf("%s: %s is %.6f, want %.4f", name, m.At(test.k), got, want)
			}
		}
	}
}

func TestFirstGoldAndGrades(t *testing.T) {
	// Golds of grades 2, 1, 1; found: a 1 at rank 2 and the 2 at rank 4.
	topic := NewTopic([]int{1, 2, 1}, []Gold{{4, 2}, {2, 1}})
	ideal := 2/math.Log2(2) + 1/math.Log2(3) + 1/math.Log2(4)
	for name, want := range map[string]float64{
		"RR": 1.0 / 2, "RR@1": 0, "RR(rel=2)": 1.0 / 4, "Success@1": 0, "Success@2": 1, "Hit@2": 1, "Hit@1": 0,
		"Success(rel=2)@3": 0, "Success(rel=2)@4": 1, "Recall(rel=2)@4": 1, "AP(rel=2)@10": 1.0 / 4,
		"AP": (1.0/2 + 2.0/4) / 3, "MAP": (1.0/2 + 2.0/4) / 2,
		"nDCG": (1/math.Log2(3) + 2/math.Log2(5)) / ideal, "nDCG@2": 1 / math.Log2(3) / (2 + 1/math.Log2(3)),
	} {
		if got := value(t, name, &topic); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	m, err := Parse("Recall(rel=3)@5")
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := m.Of(&topic); ok {
		t.Errorf("a topic without golds of the grade has the value %v", v)
	}
}

// topics draws a topic and a depth.
func topics(t *rapid.T) (*Topic, int) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	ranks := rapid.SliceOfNDistinct(rapid.IntRange(1, 300), 0, n, rapid.ID[int]).Draw(t, "ranks")
	return binary(n, ranks...), rapid.IntRange(1, 250).Draw(t, "k")
}

func TestBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		topic, k := topics(rt)
		r, p := recall(topic, k), pres(topic, k)
		low := float64(topic.Golds()) * r * r / float64(k)
		if p > r+1e-12 || p < low-1e-12 {
			rt.Fatalf("PRES %v is not between %v and Recall %v", p, low, r)
		}
		for _, m := range kinds {
			if v := m.of(topic, k); v < -1e-12 || v > 1+1e-12 || math.IsNaN(v) {
				rt.Fatalf("%s is %v", m.name, v)
			}
		}
		if a, m := averagePrecision(topic, k), paperMAP(topic, k); a > m+1e-12 {
			rt.Fatalf("AP %v is above MAP %v", a, m)
		}
	})
}

// TestGrowth: Recall, AP and what looks at the first gold never fall as k grows.
func TestGrowth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		topic, k := topics(rt)
		more := k + rapid.IntRange(1, 100).Draw(rt, "more")
		for _, f := range []func(*Topic, int) float64{recall, averagePrecision, reciprocalRank, success} {
			if f(topic, more) < f(topic, k)-1e-12 {
				rt.Fatalf("falls from %v at %d to %v at %d", f(topic, k), k, f(topic, more), more)
			}
		}
	})
}

func TestPaperMAPCanFall(t *testing.T) {
	if topic := binary(5, 7, 150); paperMAP(topic, 200) >= paperMAP(topic, 100) {
		t.Error("MAP divides by the golds found, so E3 must fall from 100 to 200")
	}
}

func TestBetterRanksScoreMore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		topic, k := topics(rt)
		found := topic.within(k)
		if len(found) == 0 || found[0].Rank == 1 {
			return
		}
		better := append([]Gold{{found[0].Rank - 1, 1}}, topic.Found[1:]...)
		up := &Topic{Grades: topic.Grades, Found: better}
		for _, f := range []func(*Topic, int) float64{pres, averagePrecision, paperMAP, ndcg, reciprocalRank} {
			if f(up, k) <= f(topic, k) {
				rt.Fatalf("%v is not above %v", f(up, k), f(topic, k))
			}
		}
	})
}
