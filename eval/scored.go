package eval

import (
	"fmt"
	"math"

	"dssdnet/eval/measure"
	"dssdnet/eval/trec"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/schemas"
)

// Scored is a run that was measured.
type Scored struct {
	Name   string
	Input  manifest.Input // zero for the pool
	Tag    string
	Counts RunCounts
	Ranks  [][]int     // by topic and gold: the rank, 0 when the ranking does not have it
	Ranked []bool      // by topic: there is a ranking
	Values [][]float64 // by measure and topic; NaN where the topic has no gold that the measure counts
}

// RunCounts are what was met in a run.
type RunCounts struct {
	trec.Counts
	MissingTopics   int64 `json:"missing_topics"`   // topics of the qrels without a ranking: they score 0
	UnknownTopics   int64 `json:"unknown_topics"`   // topics without a gold in the qrels: left out
	TopicsByPatent  int64 `json:"topics_by_patent"` // topics whose id is that of the qrels but for the kind code
	UnknownPatents  int64 `json:"unknown_patents"`  // rows whose patent is not in patents/
	OutsidePool     int64 `json:"outside_pool"`     // rows whose patent is not in the topic's pool
	CollapsedTopics int64 `json:"collapsed_topics"` // rankings in which all scores are equal
}

// foreignShare is the share of rows outside the pool above which a run is of another pool.
const foreignShare = 0.5

// measureRun finds the golds in the rankings. It also returns the name that the run has for each topic.
func (e *Evaluation) measureRun(s source, run *trec.Run) (*Scored, []string, error) {
	r := &Scored{Name: s.name, Input: run.Input, Tag: run.Tag, Counts: RunCounts{Counts: run.Counts}}
	names, err := e.match(s, run, r)
	if err != nil {
		return nil, nil, err
	}
	for i := range e.Topics {
		ranking := run.Ranking(names[i])
		r.Ranked = append(r.Ranked, ranking != nil)
		if ranking == nil {
			r.Counts.MissingTopics++
		}
		if trec.Collapsed(ranking) {
			r.Counts.CollapsedTopics++
		}
		r.Ranks = append(r.Ranks, ranksOf(e.Topics[i].Golds, ranking))
		if err := e.countForeign(&e.Topics[i], ranking, &r.Counts); err != nil {
			return nil, nil, err
		}
	}
	if e.pool != nil && float64(r.Counts.OutsidePool) > foreignShare*float64(r.Counts.Rows) {
		return nil, nil, fault.New(fault.Rejected, "%s is of another pool than %s: %d of its %d rows are not in it: name its own with --pool, or none", s, e.Config.Pool, r.Counts.OutsidePool, r.Counts.Rows)
	}
	r.Values = e.values(r)
	return r, names, nil
}

// match finds the topics of the qrels in a run: under their id or, when the run has not that, under the id of their
// patent, kind code or none.
func (e *Evaluation) match(s source, run *trec.Run, r *Scored) ([]string, error) {
	names := make([]string, len(e.Topics))
	taken := map[string]bool{}
	for i := range e.Topics {
		if id := e.Topics[i].ID; run.Ranking(id) != nil {
			names[i], taken[id] = id, true
		}
	}
	byPatent := map[string]string{}
	for _, name := range run.Topics() {
		if patent := patentOf(name); patent != "" && !taken[name] {
			if _, twice := byPatent[patent]; twice {
				name = ""
			}
			byPatent[patent] = name
		}
	}
	for i := range e.Topics {
		if name := byPatent[patentOf(e.Topics[i].ID)]; names[i] == "" && name != "" {
			names[i], taken[name] = name, true
			delete(byPatent, patentOf(name))
			r.Counts.TopicsByPatent++
		}
	}
	r.Counts.UnknownTopics = int64(len(run.Topics()) - len(taken))
	if len(taken) == 0 {
		first := "none"
		if topics := run.Topics(); len(topics) > 0 {
			first = topics[0]
		}
		return nil, fault.New(fault.Rejected, "%s and the qrels have no topic in common: its first topic is %s, that of the qrels %s: are they of one topic set?", s, first, e.Topics[0].ID)
	}
	return names, nil
}

// patentOf is the patent of a topic whose id is that of a document or patent, else "".
func patentOf(topic string) string {
	u, err := schemas.ParseUCID(topic)
	if err != nil || u.Country == "" || len(u.Kind) > 2 {
		return ""
	}
	return u.PatentID()
}

func ranksOf(golds []Gold, ranking []trec.Candidate) []int {
	ranks := make([]int, len(golds))
	place := make(map[string]int, len(golds))
	for g := range golds {
		place[golds[g].ID] = g
	}
	for i, c := range ranking {
		if g, ok := place[c.ID]; ok {
			ranks[g] = i + 1
		}
	}
	return ranks
}

// countForeign counts rows whose patent is not where it should be.
func (e *Evaluation) countForeign(t *Topic, ranking []trec.Candidate, counts *RunCounts) error {
	if !e.library.empty() {
		for _, c := range ranking {
			if !e.library.has(c.ID) {
				counts.UnknownPatents++
			}
		}
	}
	if e.pool == nil || len(ranking) == 0 {
		return nil
	}
	candidates, err := e.pool.Topic(t.ID)
	if err != nil {
		return err
	}
	in := make(map[string]bool, len(candidates))
	for _, c := range candidates {
		in[c.PatentID] = true
	}
	for _, c := range ranking {
		if !in[c.ID] {
			counts.OutsidePool++
		}
	}
	return nil
}

// values measures every topic.
func (e *Evaluation) values(r *Scored) [][]float64 {
	topics := make([]measure.Topic, len(e.Topics))
	for i := range e.Topics {
		topics[i] = e.Topics[i].measured(r.Ranks[i], nil)
	}
	all := make([][]float64, len(e.Measures))
	for m := range e.Measures {
		all[m] = make([]float64, len(topics))
		for i := range topics {
			value, ok := e.Measures[m].Of(&topics[i])
			if !ok {
				value = math.NaN()
			}
			all[m][i] = value
		}
	}
	return all
}

// Measure is the place of a measure, or an error that lists those there are.
func (e *Evaluation) Measure(name string) (int, error) {
	m, err := measure.Parse(name)
	if err != nil {
		return 0, err
	}
	var known []string
	for i := range e.Measures {
		if e.Measures[i] == m {
			return i, nil
		}
		known = append(known, e.Measures[i].String())
	}
	return 0, fmt.Errorf("%s is not measured, only %v are", name, known)
}
