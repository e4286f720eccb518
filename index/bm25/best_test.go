package bm25

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBestIsTheBeginningOfTheSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(1, 30).Draw(t, "score")) // many are equal
		})).Draw(t, "scores")
		n := rapid.IntRange(1, 12).Draw(t, "n")
		var b best
		b.reset(n)
		var all []Hit
		for i, score := range scores {
			h := Hit{Patent: uint32(i), Score: score}
			all = append(all, h)
			if score > b.floor {
				b.add(h)
			}
		}
		slices.SortFunc(all, func(x, y Hit) int {
			if x.better(y) {
				return -1
			}
			return 1
		})
		if got := b.ranking(); !slices.Equal(got, all[:min(n, len(all))]) {
			t.Fatalf("got %v of %v", got, all)
		}
	})
}
