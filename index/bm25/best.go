package bm25

import "slices"

// best keeps the n best hits. The worst of them is the root of a heap.
type best struct {
	n    int
	heap []Hit
}

func (b *best) reset(n int) { b.n, b.heap = n, b.heap[:0] }

// floor is the score that a hit must exceed to matter when hits come in the order of their patents.
func (b *best) floor() float64 {
	if len(b.heap) < b.n {
		return 0
	}
	return b.heap[0].Score
}

// add takes a hit better than the worst one, or any while there are fewer than n.
func (b *best) add(h Hit) {
	if len(b.heap) < b.n {
		b.heap = append(b.heap, h)
		at := len(b.heap) - 1
		for at > 0 {
			parent := (at - 1) / 2
			if !b.heap[parent].better(b.heap[at]) {
				break
			}
			b.heap[parent], b.heap[at] = b.heap[at], b.heap[parent]
			at = parent
		}
		return
	}
	b.heap[0] = h
	for at := 0; ; {
		worst := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(b.heap); child++ {
			if b.heap[worst].better(b.heap[child]) {
				worst = child
			}
		}
		if worst == at {
			return
		}
		b.heap[worst], b.heap[at] = b.heap[at], b.heap[worst]
		at = worst
	}
}

// ranking returns the hits, the best first.
func (b *best) ranking() []Hit {
	hits := slices.Clone(b.heap)
	slices.SortFunc(hits, func(x, y Hit) int {
		if x.better(y) {
			return -1
		}
		return 1
	})
	return hits
}
