package sampler

import (
	"fmt"
	"slices"
	"testing"
)

// TestDrawsAreForever pins numbers of every kind: the same seed must draw the same pairs in years to come.
func TestDrawsAreForever(t *testing.T) {
	s := newStream(1, "random", "PAC-1")
	var got []int
	for range 6 {
		got = append(got, s.below(1000))
	}
	if want := []int{371, 29, 773, 624, 218, 181}; !slices.Equal(got, want) {
		t.Errorf("stream draws %v, want %v", got, want)
	}
	if got, want := priority(1, forShuffle, "PAC-1", "EP-1000001"), uint64(719915277521902536); got != want {
		t.Errorf("priority is %d, want %d", got, want)
	}
}

func TestKeysAreApart(t *testing.T) {
	seen := map[[32]byte]string{}
	for _, seed := range []int64{1, 2, -1} {
		for _, purpose := range []string{forSplit, forThin, forMix, forShuffle, "random", "pool"} {
			for _, ids := range [][]string{{}, {""}, {"a"}, {"a", "b"}, {"ab"}, {"a", ""}, {"", "a"}, {"b", "a"}} {
				name := fmt.Sprintf("%d %s %q", seed, purpose, ids)
				key := keyOf(seed, purpose, ids...)
				if other, ok := seen[key]; ok {
					t.Errorf("%s and %s have one key", name, other)
				}
				seen[key] = name
			}
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	const n, draws = 7, 70000
	var counts [n]int
	for i := range 100 {
		s := newStream(3, "random", fmt.Sprint(i))
		for range draws / 100 {
			counts[s.below(n)]++
		}
	}
	if x := chiSquare(counts[:], draws/n); x > 22.5 {
		t.Errorf("chi-square of %v is %.1f; 6 degrees of freedom pass 22.5 once in a thousand", counts, x)
	}
}

// chiSquare is the statistic of counts that should all be expected.
func chiSquare(counts []int, expected float64) float64 {
	x := 0.0
	for _, n := range counts {
		d := float64(n) - expected
		x += d * d / expected
	}
	return x
}

func TestShareIsFromZeroToOne(t *testing.T) {
	below := 0
	for i := range 10000 {
		s := share(1, forSplit, fmt.Sprint(i))
		if s < 0 || s >= 1 {
			t.Fatalf("share is %v", s)
		}
		if s < 0.1 {
			below++
		}
	}
	if below < 900 || below > 1100 { // 3.3 standard deviations
		t.Errorf("%d of 10000 are below 0.1", below)
	}
}
