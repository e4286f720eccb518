package bm25

import (
	"context"
	"fmt"
	"sort"

	"dssdnet/index"
	"dssdnet/schemas"
)

// blockSize is how many patents are scored together: their scores and lengths fit into the second-level cache.
const blockSize = 1 << 15

// Scorer ranks the patents of one index. It is safe for concurrent use.
type Scorer struct {
	ix          *index.Index
	saturations []*saturation // by field
}

// New returns a scorer of ix.
func New(ix *index.Index, p Params) *Scorer {
	s := &Scorer{ix: ix}
	for _, field := range ix.Fields() {
		s.saturations = append(s.saturations, newSaturation(p, field.AverageLength))
	}
	return s
}

// Searcher answers one query after the other. It is not safe for concurrent use: make one per goroutine, of 260 KB.
type Searcher struct {
	scorer  *Scorer
	cursors []cursor
	best    best
	scores  [blockSize]float64
}

// Searcher returns a new searcher.
func (s *Scorer) Searcher() *Searcher { return &Searcher{scorer: s} }

// cursor is a term of the query on its way through the patents.
type cursor struct {
	list       *index.Postings
	at         int // first posting that was not scored
	weight     float64
	saturation *saturation
	lengths    []uint32
}

// Search returns the best hits of q, best first. Memory beside the index's cache: the decoded postings of q.
func (s *Searcher) Search(ctx context.Context, q *Query) ([]Hit, error) {
	if q.Hits < 1 {
		return nil, fmt.Errorf("a query for %d hits", q.Hits)
	}
	s.best.reset(q.Hits)
	favoured := q.Favoured
	err := s.blocks(ctx, q, func(base uint32, scores []float64) {
		n := sort.Search(len(favoured), func(i int) bool { return favoured[i] >= base+uint32(len(scores)) })
		in := favoured[:n]
		favoured = favoured[n:]
		if q.Filter {
			s.take(q, base, scores, in)
			return
		}
		if q.Boost != 0 {
			for _, patent := range in {
				scores[patent-base] *= q.Boost
			}
		}
		s.takeAll(q, base, scores)
	})
	if err != nil {
		return nil, err
	}
	return s.best.ranking(), nil
}

// takeAll offers all patents of a block to the best.
func (s *Searcher) takeAll(q *Query, base uint32, scores []float64) {
	for i, score := range scores {
		if score > s.best.floor && s.admits(q, base+uint32(i)) {
			s.best.add(Hit{base + uint32(i), score})
		}
	}
}

// take offers some patents of a block.
func (s *Searcher) take(q *Query, base uint32, scores []float64, patents []uint32) {
	for _, patent := range patents {
		if score := scores[patent-base]; score > s.best.floor && s.admits(q, patent) {
			s.best.add(Hit{patent, score})
		}
	}
}

func (s *Searcher) admits(q *Query, patent uint32) bool {
	return !excludes(q.Exclude, patent) && (q.Before == nil || !s.scorer.published(patent, *q.Before))
}

func excludes(exclude []uint32, patent uint32) bool {
	at := sort.Search(len(exclude), func(i int) bool { return exclude[i] >= patent })
	return at < len(exclude) && exclude[at] == patent
}

// published is whether a patent was known to be published on that day or later.
func (s *Scorer) published(patent uint32, day schemas.Date) bool {
	published, known := s.ix.Patents().Published(patent)
	return known && published >= day
}

// blocks scores all patents, block by block. The scores are 0 where no term is.
func (s *Searcher) blocks(ctx context.Context, q *Query, visit func(base uint32, scores []float64)) error {
	if err := s.prepare(q); err != nil {
		return err
	}
	total := uint32(s.scorer.ix.Patents().Len())
	for base := uint32(0); base < total; base += blockSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		scores := s.scores[:min(blockSize, total-base)]
		clear(scores)
		for i := range s.cursors {
			s.cursors[i].score(&s.scores, base)
		}
		visit(base, scores)
	}
	return nil
}

// prepare sets a cursor on every term that any patent has.
func (s *Searcher) prepare(q *Query) error {
	s.cursors = s.cursors[:0]
	for _, term := range q.Terms {
		list, err := s.scorer.ix.Postings(term.Field, term.Text)
		if err != nil {
			return err
		}
		if len(list.Docs) == 0 {
			continue
		}
		field := &s.scorer.ix.Fields()[term.Field]
		s.cursors = append(s.cursors, cursor{
			list:       list,
			weight:     term.Weight * IDF(field.Patents, int64(len(list.Docs))),
			saturation: s.scorer.saturations[term.Field],
			lengths:    field.Lengths,
		})
	}
	return nil
}

// score adds the term to the patents of the block at base.
func (c *cursor) score(scores *[blockSize]float64, base uint32) {
	docs := c.list.Docs[c.at:]
	freqs := c.list.Freqs[c.at:][:len(docs)]
	table, lengths, weight := &c.saturation.table, c.lengths, c.weight
	done := len(docs)
	for i, doc := range docs {
		at := doc - base
		if at >= blockSize {
			done = i
			break
		}
		freq, length := uint32(freqs[i]), lengths[doc]
		var value float64
		if freq < tableFreqs && length < tableLengths {
			value = table[freq*tableLengths+length]
		} else {
			value = c.saturation.compute(c.list.Freq(c.at+i), length)
		}
		scores[at] += float64(weight * value) // the conversion forbids a fused addition: same bits everywhere
	}
	c.at += done
}
