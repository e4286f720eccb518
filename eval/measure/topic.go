package measure

import "slices"

// Topic is one topic of a run as its measures see it.
type Topic struct {
	Grades []int  // of every gold of the qrels, each 1 or more, best first; n is their number
	Found  []Gold // golds in the ranking, best rank first
}

// Gold is a gold in the ranking.
type Gold struct {
	Rank  int // from 1
	Grade int // from 1
}

// NewTopic makes a topic. grades are those of all golds, found the golds in the ranking, both in any order; the topic
// keeps them.
func NewTopic(grades []int, found []Gold) Topic {
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	slices.SortFunc(found, func(a, b Gold) int { return a.Rank - b.Rank })
	return Topic{Grades: grades, Found: found}
}

// Golds is n.
func (t *Topic) Golds() int { return len(t.Grades) }

// atLeast is the topic with the golds of a grade from rel on.
func (t *Topic) atLeast(rel int) *Topic {
	if rel <= 1 {
		return t
	}
	some := &Topic{}
	for _, grade := range t.Grades {
		if grade >= rel {
			some.Grades = append(some.Grades, grade)
		}
	}
	for _, gold := range t.Found {
		if gold.Grade >= rel {
			some.Found = append(some.Found, gold)
		}
	}
	return some
}

// within are the golds in the first k of the ranking, in all of it for k = 0.
func (t *Topic) within(k int) []Gold {
	if k == 0 {
		return t.Found
	}
	n := 0
	for n < len(t.Found) && t.Found[n].Rank <= k {
		n++
	}
	return t.Found[:n]
}
