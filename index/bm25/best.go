package bm25

import "slices"

// best keeps the n best of the hits it is given. They come in the order of their patents, so that one that only
// equals the floor has lost to an earlier one.
//
// It collects 2n hits, then drops the worse half: a few comparisons a hit, where a heap needs one or two for each of
// its levels.
type best struct {
	n     int
	hits  []Hit
	floor float64 // score that a hit must exceed
}

func (b *best) reset(n int) {
	b.n, b.hits, b.floor = n, b.hits[:0], 0
}

// add takes a hit above the floor.
func (b *best) add(h Hit) {
	b.hits = append(b.hits, h)
	if len(b.hits) == 2*b.n {
		b.halve()
	}
}

// halve leaves the n best in some order.
func (b *best) halve() {
	part(b.hits, b.n)
	b.hits = b.hits[:b.n]
	worst := b.hits[0]
	for _, h := range b.hits[1:] {
		if worst.better(h) {
			worst = h
		}
	}
	b.floor = worst.Score
}

// part orders hits so far that the n best come first.
func part(hits []Hit, n int) {
	for n > 0 && n < len(hits) {
		pivot := median(hits[0], hits[len(hits)/2], hits[len(hits)-1])
		i, j := 0, len(hits)-1
		for i <= j {
			for hits[i].better(pivot) {
				i++
			}
			for pivot.better(hits[j]) {
				j--
			}
			if i <= j {
				hits[i], hits[j] = hits[j], hits[i]
				i, j = i+1, j-1
			}
		}
		switch { // [0, j] are at least as good as the pivot, [i, end] at most, what is between is the pivot
		case n <= j:
			hits = hits[:j+1]
		case n >= i:
			hits, n = hits[i:], n-i
		default:
			return
		}
	}
}

func median(a, b, c Hit) Hit {
	switch {
	case a.better(b) == b.better(c):
		return b
	case a.better(b) == c.better(a):
		return a
	}
	return c
}

// ranking returns the n best hits, the best first.
func (b *best) ranking() []Hit {
	if len(b.hits) > b.n {
		b.halve()
	}
	hits := slices.Clone(b.hits)
	slices.SortFunc(hits, func(x, y Hit) int {
		if x.better(y) {
			return -1
		}
		return 1
	})
	return hits
}
