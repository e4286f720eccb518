package synth

import (
	"context"
	"maps"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
)

// nowhere is a shelf that forgets.
type nowhere struct{ seen func() }

func (n nowhere) put(string, day, []byte) error { n.seen(); return nil }
func (n nowhere) close() error                  { return nil }
func (n nowhere) discard()                      {}

func countAll(t *testing.T, a *author, put func()) Result {
	t.Helper()
	b := batch{first: 1, last: a.last}
	count, err := a.writeShard(context.Background(), &b, shard{1, a.last}, nowhere{put})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// TestShares measures a collection of 6,000 patents against what doc.go promises.
func TestShares(t *testing.T) {
	a := author{universe: testUniverse(5, 6000)}
	count := countAll(t, &a, func() {})
	files := float64(count.Files)
	for _, c := range []struct {
		what                 string
		got, want, tolerance float64
	}{
		{"English", float64(count.Languages["EN"]) / files, 0.67, 0.03},
		{"German", float64(count.Languages["DE"]) / files, 0.26, 0.03},
		{"French", float64(count.Languages["FR"]) / files, 0.07, 0.02},
		{"without IPC", float64(count.Unclassified) / files, 0.03, 0.01},
		{"documents a patent", files / float64(count.Patents), 1.55, 0.1},
		{"A2 among applications", float64(count.Kinds["A2"]) / float64(count.Patents), 0.29, 0.03},
		{"citations a patent", float64(count.Citations) / float64(count.Patents), 5, 1},
	} {
		if math.Abs(c.got-c.want) > c.tolerance {
			t.Errorf("%s: %.3f, want %.3f within %.3f", c.what, c.got, c.want, c.tolerance)
		}
	}
}

// TestCrossSubclassShare measures the share in the XML, by the subclasses of citing and cited patent.
func TestCrossSubclassShare(t *testing.T) {
	for _, want := range []float64{0.1, 0.5} {
		u := testUniverse(5, 4000)
		u.crossShare, u.descriptionWords = want, 10
		a := author{universe: u}
		classes := map[string][]string{}
		pairs, cross := 0, 0
		eachFile(&a, 4000, func(p *patent, d document, files []file, h hazard) {
			x := readXML(t, files[0].content)
			var own []string
			for _, row := range x.Symbols {
				own = append(own, row[:4])
			}
			classes[patentID(p.n)] = own
			for _, c := range x.Citations {
				cited := classes[c.UCID[:min(len(c.UCID), len("EP-0000000"))]]
				if len(own) == 0 || len(cited) == 0 {
					continue
				}
				pairs++
				if !slices.ContainsFunc(own, func(s string) bool { return slices.Contains(cited, s) }) {
					cross++
				}
			}
		})
		if got := float64(cross) / float64(pairs); math.Abs(got-want) > 0.04 {
			t.Errorf("%d of %d citations are between subclasses: %.3f, want %.3f", cross, pairs, got, want)
		}
	}
}

// TestWordsFollowZipf fits the slope of log frequency over log rank in the English texts.
func TestWordsFollowZipf(t *testing.T) {
	a := author{universe: testUniverse(5, 1500)}
	counts := map[string]int{}
	eachFile(&a, 1500, func(p *patent, d document, files []file, h hazard) {
		if p.lang == languageEN {
			for _, text := range readXML(t, files[0].content).Description {
				for _, word := range strings.Fields(strings.ToLower(text)) {
					counts[strings.Trim(word, ".()")]++
				}
			}
		}
	})
	frequencies := slices.Sorted(maps.Values(counts))
	slices.Reverse(frequencies)
	var n, sumX, sumY, sumXX, sumXY float64
	for rank := 5; rank < 5000; rank = rank*5/4 + 1 {
		x, y := math.Log(float64(rank)), math.Log(float64(frequencies[rank-1]))
		n, sumX, sumY, sumXX, sumXY = n+1, sumX+x, sumY+y, sumXX+x*x, sumXY+x*y
	}
	slope := (n*sumXY - sumX*sumY) / (n*sumXX - sumX*sumX)
	if slope > -0.7 || slope < -1.3 {
		t.Errorf("slope %.2f, want about -1", slope)
	}
	once := len(frequencies) - sort.Search(len(frequencies), func(i int) bool { return frequencies[len(frequencies)-1-i] > 1 })
	if share := float64(len(frequencies)-once) / float64(len(frequencies)); share < 0.2 {
		t.Errorf("%.2f of the vocabulary occurs once: no long tail", share)
	}
	t.Logf("%d different words, slope %.2f", len(frequencies), slope)
}

// TestMemoryDoesNotGrow writes 50 times as many patents in the same memory.
func TestMemoryDoesNotGrow(t *testing.T) {
	peak := func(patents int) uint64 {
		u := testUniverse(5, patents)
		u.descriptionWords = 20
		a := author{universe: u}
		var highest uint64
		files := 0
		countAll(t, &a, func() {
			if files++; files%(patents/10) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				highest = max(highest, m.HeapAlloc)
			}
		})
		return highest
	}
	few, many := peak(1000), peak(50_000)
	if many > few+4<<20 {
		t.Errorf("%d bytes live for 1,000 patents, %d for 50,000", few, many)
	}
}
