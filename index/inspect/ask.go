package inspect

import (
	"context"
	"errors"
	"strings"

	"dssdnet/index"
	"dssdnet/index/bm25"
	"dssdnet/index/query"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// Answer is what was found for words.
type Answer struct {
	Build string   `json:"build"`
	Terms []string `json:"terms"` // of the words, those that a patent has
	Notes []string `json:"notes,omitempty"`
	Hits  []Found  `json:"hits"`
}

// Found is a patent that was found.
type Found struct {
	Rank       int      `json:"rank"`
	Score      float64  `json:"score"`
	PatentID   string   `json:"patent_id"`
	Title      string   `json:"title,omitempty"`     // "" when patents/ does not have it
	Published  string   `json:"published,omitempty"` // YYYY-MM-DD
	Subclasses []string `json:"ipc_subclasses,omitempty"`
}

// Ask searches for words.
func Ask(ctx context.Context, c Config) (a Answer, err error) {
	if err := c.Validate(); err != nil {
		return a, err
	}
	if strings.TrimSpace(c.Words) == "" {
		return a, fault.New(fault.Usage, "no words to search for")
	}
	ix, err := c.open(ctx)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	planner, err := query.NewPlanner(ix, c.Config)
	if err != nil {
		return a, err
	}
	plan, err := planner.Words(c.Words)
	if err != nil {
		return a, err
	}
	hits, err := bm25.New(ix, c.Params()).Searcher().Search(ctx, &plan.Query)
	if err != nil {
		return a, err
	}
	a = Answer{Build: ix.Name(), Notes: plan.Notes}
	for _, term := range plan.Terms {
		a.Terms = append(a.Terms, term.Text)
	}
	for i, hit := range hits {
		a.Hits = append(a.Hits, found(ix, i+1, hit.Score, hit.Patent))
	}
	return a, c.addTitles(a.Hits)
}

func found(ix *index.Index, rank int, score float64, patent uint32) Found {
	f := Found{Rank: rank, Score: score, PatentID: ix.Patents().ID(patent), Subclasses: ix.Patents().Subclasses(patent)}
	if day, known := ix.Patents().Published(patent); known {
		f.Published = day.String()
	}
	return f
}

func (c Config) addTitles(hits []Found) error {
	ids := make([]string, len(hits))
	for i, hit := range hits {
		ids[i] = hit.PatentID
	}
	titles, err := Titles(c.Workspace.Table(schemas.Patents.Name), ids)
	for i := range hits {
		hits[i].Title = titles[hits[i].PatentID]
	}
	return err
}
