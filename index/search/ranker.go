package search

import (
	"context"

	"dssdnet/index"
	"dssdnet/index/bm25"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/schemas"
)

// Ranker draws the pools of one topic after the other. It is not safe for concurrent use: make one per goroutine.
type Ranker struct {
	ix       *index.Index
	planner  *query.Planner
	searcher *bm25.Searcher
}

// NewRanker returns a ranker of the patents of ix. The scorer must be of ix and the config's parameters.
func NewRanker(ix *index.Index, scorer *bm25.Scorer, c query.Config) (*Ranker, error) {
	planner, err := query.NewPlanner(ix, c)
	if err != nil {
		return nil, err
	}
	return &Ranker{ix, planner, scorer.Searcher()}, nil
}

// Ranked is the pool of a topic.
type Ranked struct {
	Query      pool.Query
	Candidates []schemas.Pool
	Excluded   []uint32 // patents that were no candidates, ascending
}

// Rank draws the pool of a topic.
func (r *Ranker) Rank(ctx context.Context, t *schemas.Topic) (*Ranked, error) {
	plan, err := r.planner.Topic(t)
	if err != nil {
		return nil, err
	}
	hits, err := r.searcher.Search(ctx, &plan.Query)
	if err != nil {
		return nil, err
	}
	candidates := make([]schemas.Pool, len(hits))
	for i, hit := range hits {
		candidates[i] = schemas.Pool{
			TopicID: t.TopicID, PatentID: r.ix.Patents().ID(hit.Patent), Rank: int32(i + 1), Score: hit.Score, IndexBuild: r.ix.Name(),
		}
	}
	return &Ranked{
		Query: pool.Query{
			TopicID: t.TopicID, Terms: plan.Known, Hits: len(hits), Excluded: plan.Excluded, Notes: plan.Notes,
			Subclasses: t.IPCSubclasses,
		},
		Candidates: candidates,
		Excluded:   plan.Exclude,
	}, nil
}
