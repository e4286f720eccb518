package rerank

import (
	"cmp"
	"slices"
)

// pair is a row to score.
type pair struct {
	a, b       encoded
	keepA      int // tokens of a in the pair
	keepB      int
	domain     int8
	group, row int // where its score goes
}

func (p *pair) length() int { return p.keepA + p.keepB + specials }

// matrix is pairs as the encoder reads them, row-major, each padded at the right to Length.
type matrix struct {
	rows, length int
	ids, types   []int64
	mask         []uint8
	domain       []float32
}

// pairsOf are the pairs of a window that have both texts, of the rows of each group that shallow leaves.
func (x *texts) pairsOf(window []*group, shallow func([]candidate) []candidate) []pair {
	var pairs []pair
	for g, one := range window {
		a, ok := x.topics[one.topic]
		if !ok {
			continue
		}
		for r, row := range shallow(one.rows) {
			if b, ok := x.patents[row.patent]; ok {
				p := pair{a: a, b: b, domain: row.domain, group: g, row: r}
				p.keepA, p.keepB = x.lengths(a, b)
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// batches cuts pairs, the longest first, into batches of at most budget tokens with their padding. The order of pairs
// becomes that of the batches.
func batches(pairs []pair, budget int) [][]pair {
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.length(), a.length()) })
	var all [][]pair
	for len(pairs) > 0 {
		n := min(len(pairs), max(1, budget/pairs[0].length()))
		all = append(all, pairs[:n])
		pairs = pairs[n:]
	}
	return all
}

// matrix lays a batch out. The padding's ids mean nothing: the mask hides them.
func (x *texts) matrix(batch []pair) matrix {
	m := matrix{rows: len(batch)}
	for i := range batch {
		m.length = max(m.length, batch[i].length())
	}
	n := m.rows * m.length
	m.ids, m.types, m.mask, m.domain = make([]int64, n), make([]int64, n), make([]uint8, n), make([]float32, m.rows)
	for i := range batch {
		p := &batch[i]
		m.domain[i] = float32(p.domain)
		at := i * m.length
		put := func(id int32, kind int64) {
			m.ids[at], m.types[at], m.mask[at] = int64(id), kind, 1
			at++
		}
		put(x.cls, 0)
		for _, id := range p.a.ids[:p.keepA] {
			put(id, 0)
		}
		put(x.sep, 0)
		for _, id := range p.b.ids[:p.keepB] {
			put(id, 1)
		}
		put(x.sep, 1)
	}
	return m
}
