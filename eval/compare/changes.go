package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"dssdnet/eval"
	"dssdnet/eval/tables"
)

// changes lists the topics with the biggest gains and losses of a system.
func (c Config) changes(e *eval.Evaluation, base, other system, measure int) (gains, losses []Change) {
	from, to := base.values(measure), other.values(measure)
	var order []int
	for t := range from {
		if d := to[t] - from[t]; !math.IsNaN(d) && math.Abs(d) > same {
			order = append(order, t)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(to[b]-from[b], to[a]-from[a]), cmp.Compare(a, b)) })
	for _, t := range order {
		if to[t] > from[t] && len(gains) < c.Top {
			gains = append(gains, change(e, base, other, t, from[t], to[t]))
		}
	}
	for _, t := range slices.Backward(order) {
		if to[t] < from[t] && len(losses) < c.Top {
			losses = append(losses, change(e, base, other, t, from[t], to[t]))
		}
	}
	return gains, losses
}

func change(e *eval.Evaluation, base, other system, t int, from, to float64) Change {
	topic := &e.Topics[t]
	c := Change{Topic: topic.ID, Baseline: from, System: to}
	if topic.Row != nil {
		c.Title = tables.TopicText(topic.Row).Title
	}
	for g, gold := range topic.Golds {
		c.Golds = append(c.Golds, Moved{Patent: gold.ID, Grade: gold.Grade, Baseline: base.runs[0].Ranks[t][g], System: other.runs[0].Ranks[t][g]})
	}
	return c
}

// addTitles finds the titles of the golds that are listed.
func (r *Result) addTitles(ctx context.Context, c Config) error {
	ids := map[string]bool{}
	each := func(visit func(*Moved)) {
		for s := range r.Systems {
			for _, changes := range [][]Change{r.Systems[s].Gains, r.Systems[s].Losses} {
				for i := range changes {
					for g := range changes[i].Golds {
						visit(&changes[i].Golds[g])
					}
				}
			}
		}
	}
	each(func(m *Moved) { ids[m.Patent] = true })
	texts, err := tables.PatentTexts(ctx, c.Workspace, ids)
	if err != nil {
		return err
	}
	each(func(m *Moved) { m.Title = texts[m.Patent].Title })
	return nil
}
