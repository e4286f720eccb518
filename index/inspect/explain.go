package inspect

import (
	"context"
	"errors"
	"slices"

	"dssdnet/index"
	"dssdnet/index/bm25"
	"dssdnet/index/query"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// Explanation is the score of a patent for a topic in its parts.
type Explanation struct {
	Build      string  `json:"build"`
	TopicID    string  `json:"topic_id"`
	TopicTitle string  `json:"topic_title,omitempty"`
	PatentID   string  `json:"patent_id"`
	Title      string  `json:"title,omitempty"`
	K1         float64 `json:"k1"`
	B          float64 `json:"b"`
	// Barred says why the patent is not in the pool whatever its score, "" when it can be.
	Barred string   `json:"barred,omitempty"`
	Boost  float64  `json:"boost,omitempty"` // factor of the score for a shared IPC subclass, if it has one
	Notes  []string `json:"notes,omitempty"`
	bm25.Explanation
}

// Explain takes the score of Config.Patent for Config.Topic apart. Rank is its rank in a pool without limit.
func Explain(ctx context.Context, c Config) (e Explanation, err error) {
	if err := c.Validate(); err != nil {
		return e, err
	}
	ucid, err := schemas.ParseUCID(c.Patent)
	if err != nil {
		return e, fault.New(fault.Usage, "%w", err)
	}
	topic, err := query.FindTopic(ctx, c.Workspace.Table(schemas.Topics.Name), c.Sets, c.Topic)
	if err != nil {
		return e, err
	}
	ix, err := c.open(ctx)
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	patent, ok := ix.Patents().Find(ucid.PatentID())
	if !ok {
		return e, fault.New(fault.Usage, "patent %s is not in the index %s", ucid.PatentID(), ix.Name())
	}
	planner, err := query.NewPlanner(ix, c.Config)
	if err != nil {
		return e, err
	}
	plan, err := planner.Topic(topic)
	if err != nil {
		return e, err
	}
	e = Explanation{
		Build: ix.Name(), TopicID: topic.TopicID, TopicTitle: topic.Title, PatentID: ucid.PatentID(), K1: c.K1, B: c.B,
		Barred: barred(ix, plan, topic, patent), Notes: plan.Notes,
	}
	if _, shared := slices.BinarySearch(plan.Favoured, patent); shared && !plan.Filter {
		e.Boost = plan.Boost
	}
	if e.Explanation, err = bm25.New(ix, c.Params()).Searcher().Explain(ctx, &plan.Query, patent); err != nil {
		return e, err
	}
	titles, err := Titles(c.Workspace.Table(schemas.Patents.Name), []string{e.PatentID})
	e.Title = titles[e.PatentID]
	return e, err
}

func barred(ix *index.Index, plan *query.Plan, topic *schemas.Topic, patent uint32) string {
	day, known := ix.Patents().Published(patent)
	_, favoured := slices.BinarySearch(plan.Favoured, patent)
	switch {
	case ix.Patents().ID(patent) == topic.PatentID:
		return "it is the topic's own patent"
	case slices.Contains(plan.Exclude, patent):
		return "it is of the topic's family"
	case plan.Before != nil && known && day >= *plan.Before:
		return "it was published on " + day.String() + ", not before " + plan.Before.String()
	case plan.Filter && !favoured:
		return "it shares no IPC subclass with the topic"
	}
	return ""
}
