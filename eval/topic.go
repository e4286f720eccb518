package eval

import (
	"slices"

	"dssdnet/eval/measure"
	"dssdnet/eval/trec"
	"dssdnet/schemas"
)

// Topic is a topic of the qrels that has a gold.
type Topic struct {
	ID     string
	Golds  []Gold         // by id, at least one
	Broken bool           // flagged in the qrels table: known defect
	Row    *schemas.Topic // of topics/; nil when it is not there
}

// Gold is a relevant patent of a topic.
type Gold struct {
	trec.Gold
	Patent   *Patent // nil when it is not in patents/
	PoolRank int     // 0 when it is not in the pool, or no pool is given
}

// Patent is what slices need to know of a patent.
type Patent struct {
	IPC  []string // distinct subclasses
	Lang string   // best language with a title or an abstract, "" for none
}

// inPool is the number of golds among the first k of the pool.
func (t *Topic) inPool(k int) int {
	n := 0
	for _, g := range t.Golds {
		if g.PoolRank > 0 && g.PoolRank <= k {
			n++
		}
	}
	return n
}

// measured is the topic as measures see it: ranks[g] is the rank of gold g or 0, and only golds that keep says yes to
// count. keep nil takes all.
func (t *Topic) measured(ranks []int, keep func(g int) bool) measure.Topic {
	grades := make([]int, 0, len(t.Golds))
	var found []measure.Gold
	for g, gold := range t.Golds {
		if keep != nil && !keep(g) {
			continue
		}
		grades = append(grades, gold.Grade)
		if ranks[g] > 0 {
			found = append(found, measure.Gold{Rank: ranks[g], Grade: gold.Grade})
		}
	}
	return measure.NewTopic(grades, found)
}

// overlap reports whether two sets of IPC subclasses have a code in common when cut to their first n characters.
func overlap(a, b []string, n int) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return x[:min(n, len(x))] == y[:min(n, len(y))] })
	})
}
