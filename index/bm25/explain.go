package bm25

import "context"

// Share is what one term contributes to the score of a patent.
type Share struct {
	Field     string  `json:"field"`
	Term      string  `json:"term"`
	Weight    float64 `json:"weight"` // of the term in the query
	DF        int64   `json:"df"`     // patents that have it
	IDF       float64 `json:"idf"`
	Frequency uint32  `json:"frequency"` // in this patent
	Length    uint32  `json:"length"`    // of the field in this patent
	Score     float64 `json:"score"`
}

// Explanation is a score in its parts.
type Explanation struct {
	Score  float64 `json:"score"`  // as Search computes it, to the last bit, without a boost
	Rank   int     `json:"rank"`   // among all patents that Search would return with enough hits; 0 for none of them
	Shares []Share `json:"shares"` // of the query's terms, in its order; also those that the patent lacks
}

// Explain takes the score of a patent apart.
func (s *Searcher) Explain(ctx context.Context, q *Query, patent uint32) (Explanation, error) {
	var e Explanation
	for _, term := range q.Terms {
		list, err := s.scorer.ix.Postings(term.Field, term.Text)
		if err != nil {
			return e, err
		}
		field := &s.scorer.ix.Fields()[term.Field]
		share := Share{
			Field: field.Name, Term: term.Text, Weight: term.Weight, DF: int64(len(list.Docs)),
			IDF: IDF(field.Patents, int64(len(list.Docs))), Length: field.Lengths[patent],
		}
		if at, ok := list.Find(patent); ok {
			share.Frequency = list.Freq(at)
			share.Score = term.Weight * share.IDF * s.scorer.saturations[term.Field].of(share.Frequency, share.Length)
			e.Score += share.Score
		}
		e.Shares = append(e.Shares, share)
	}
	var err error
	e.Rank, err = s.rank(ctx, q, patent)
	return e, err
}

// rank counts the hits that are better.
func (s *Searcher) rank(ctx context.Context, q *Query, patent uint32) (int, error) {
	all := *q
	all.Hits = s.scorer.ix.Patents().Len()
	hits, err := s.Search(ctx, &all)
	if err != nil {
		return 0, err
	}
	for i, hit := range hits {
		if hit.Patent == patent {
			return i + 1, nil
		}
	}
	return 0, nil
}
