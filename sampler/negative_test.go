package sampler

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParseMix(t *testing.T) {
	for _, test := range []struct{ list, want, err string }{
		{"random", "random=1", ""},
		{"domain-balanced=3", "domain-balanced=1", ""},
		{"random=0.7 pool=0.3", "random=0.7,pool=0.3", ""},
		{"random=2 pool=1 pool-same-subclass=1", "random=0.5,pool=0.25,pool-same-subclass=0.25", ""},
		{"", "", "--negatives is empty"},
		{"hard", "", `"hard" is none of domain-balanced, pool, pool-same-subclass, random`},
		{"random pool", "", "random has no share"},
		{"random=0.5 pool", "", "pool has no share"},
		{"random=0.5 random=0.5", "", "names random twice"},
		{"random=0 pool=1", "", `"0" is not a positive number`},
		{"random=NaN", "", `"NaN" is not a positive number`},
		{"random=-1", "", `"-1" is not a positive number`},
		{"random=Inf", "", `"Inf" is not a positive number`},
		{"random=x", "", `"x" is not a positive number`},
	} {
		m, err := parseMix(strings.Fields(test.list))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%q: error %v, want %q", test.list, err, test.err)
			}
			continue
		}
		if err != nil || m.String() != test.want {
			t.Errorf("%q is %s, %v, want %s", test.list, m, err, test.want)
		}
	}
}

// TestMixKeepsItsShares counts the strategies of 10 negatives of each of 1,000 topics.
func TestMixKeepsItsShares(t *testing.T) {
	m, err := parseMix([]string{"random=0.65", "pool=0.25", "domain-balanced=0.1"})
	if err != nil {
		t.Fatal(err)
	}
	const topics, each = 1000, 10
	total := map[string]float64{}
	for topic := range topics {
		start := priority(1, forMix, fmt.Sprint(topic))
		own := map[string]float64{}
		for n := range each {
			own[m.at(n, start).name]++
		}
		for _, s := range m {
			total[s.name] += own[s.name]
			if got, want := own[s.name], s.share*each; math.Abs(got-want) > 2 {
				t.Fatalf("topic %d has %v of 10 negatives by %s, want %v give or take 2", topic, got, s.name, want)
			}
		}
	}
	for _, s := range m {
		if got := total[s.name] / (topics * each); math.Abs(got-s.share) > 0.01 {
			t.Errorf("%s has a share of %v, want %v", s.name, got, s.share)
		}
	}
}

// drawingOf is the drawing of the negatives of a topic from its pool and the library.
func drawingOf(lib *library, topic *topic, window []uint32) *drawing {
	return &drawing{lib: lib, topic: topic, seed: 1, exclude: newExclusion(lib, topic, false), window: window}
}

func unranked(uint32) int32 { return 0 }

func mixOf(t *testing.T, list ...string) mix {
	t.Helper()
	m, err := parseMix(list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDrawFillsEveryUnit(t *testing.T) {
	lib := libraryOf(t, "EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-6")
	topic := topicOf(t, lib, topicRow{TopicID: "T"}, "EP-1", "EP-2")
	positives, _ := positives(0, topic, ordinals(t, lib, "EP-1 EP-2"), lib, 300)
	out := drawingOf(lib, topic, nil).draw(positives, 2, mixOf(t, "random"), unranked)
	if len(out.pairs) != 6 || out.fallbacks != 0 || len(out.left) != 0 {
		t.Fatalf("drawn %+v", out)
	}
	seen := map[uint32]bool{}
	for i, p := range out.pairs {
		if p.gold != (i%3 == 0) || seen[p.doc] {
			t.Errorf("pairs are %s, want two units of a gold and two others, each once", names(lib, out.pairs))
		}
		seen[p.doc] = true
	}
}

// TestDrawFromALibraryThatIsTooSmall keeps the balance: what has no negatives makes no pair.
func TestDrawFromALibraryThatIsTooSmall(t *testing.T) {
	lib := libraryOf(t, "EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-6")
	topic := topicOf(t, lib, topicRow{TopicID: "T"}, "EP-1", "EP-2", "EP-3")
	golds, _ := positives(0, topic, ordinals(t, lib, "EP-1 EP-2 EP-3"), lib, 300)
	out := drawingOf(lib, topic, nil).draw(golds, 2, mixOf(t, "random"), unranked)
	if got := len(out.pairs); got != 3 || out.left[leftNoNegative] != 2 {
		t.Errorf("%d pairs, left out %v, want one unit of 3 and 2 golds left out", got, out.left)
	}
}

func TestDrawFallsBackToRandom(t *testing.T) {
	lib := libraryOf(t, "EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-6", "EP-7")
	topic := topicOf(t, lib, topicRow{TopicID: "T"}, "EP-1", "EP-2", "EP-3")
	window := ordinals(t, lib, "EP-1 EP-4 EP-2 EP-3")
	golds, _ := positives(0, topic, window, lib, 300)
	out := drawingOf(lib, topic, window).draw(golds, 1, mixOf(t, "pool"), rankOf(window))
	var sources []string
	for _, p := range out.pairs {
		sources = append(sources, fmt.Sprintf("%s/%d", p.source, p.rank))
	}
	if got, want := strings.Join(sources, " "), "gold/1 pool/2 gold/3 random/0 gold/4 random/0"; got != want || out.fallbacks != 2 {
		t.Errorf("sources and ranks are %s with %d fallbacks, want %s", got, out.fallbacks, want)
	}
}
