package eval

import (
	"fmt"
	"path/filepath"

	"dssdnet/eval/trec"
)

// ceilingDepth is how deep a pool is looked at for its ceiling.
const ceilingDepth = 1000

// Result of one evaluation, as eval.json has it.
type Result struct {
	Report   string           `json:"report"`
	Measures []string         `json:"measures"`
	Topics   int              `json:"topics"` // of the qrels, with a gold
	Golds    int              `json:"golds"`
	Qrels    trec.QrelsCounts `json:"qrels"`
	// GoldsNotInPatents are golds that are not in patents/: no ranking of these can have them. -1 without patents/.
	GoldsNotInPatents int         `json:"golds_not_in_patents"`
	Pool              *PoolResult `json:"pool,omitempty"`
	Runs              []RunResult `json:"runs"`
	Warnings          []string    `json:"warnings"`
	Seconds           float64     `json:"seconds,omitempty"` // not in eval.json, which depends on the inputs only
}

// PoolResult is what a re-ranker of the pool can reach.
type PoolResult struct {
	Name              string  `json:"name"`
	Ceiling           float64 `json:"ceiling"` // Recall@1000
	TopicsWithoutGold int     `json:"topics_without_gold"`
}

// RunResult is one run.
type RunResult struct {
	Name   string    `json:"name"`
	File   string    `json:"file,omitempty"` // "" for the pool
	SHA256 string    `json:"sha256,omitempty"`
	Tag    string    `json:"tag,omitempty"`
	Counts RunCounts `json:"counts"`
	All    Means     `json:"all"`
	// Reachable is over the topics of which the pool, or without one the run itself, holds a gold at all.
	Reachable Means  `json:"reachable"`
	Slices    []Part `json:"slices"`
}

// Result sums the evaluation up.
func (e *Evaluation) Result() Result {
	r := Result{Report: e.Config.ReportName(), Topics: len(e.Topics), Qrels: e.Qrels, GoldsNotInPatents: e.unknownGolds(), Warnings: []string{}}
	for _, m := range e.Measures {
		r.Measures = append(r.Measures, m.String())
	}
	for _, t := range e.Topics {
		r.Golds += len(t.Golds)
	}
	if e.Config.Pool != "" {
		r.Pool = e.ceiling()
	}
	for _, run := range e.Runs {
		r.Runs = append(r.Runs, RunResult{
			Name: run.Name, File: base(run.Input.Path), SHA256: run.Input.SHA256, Tag: run.Tag, Counts: run.Counts,
			All: e.means(run, nil, nil), Reachable: e.means(run, e.reachable(run), nil), Slices: e.parts(run),
		})
	}
	for i := range r.Runs {
		r.Warnings = append(r.Warnings, r.Runs[i].warnings(r.Topics)...)
	}
	return r
}

// base is the name of a file: a report does not depend on the folder in which a run lies.
func base(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

func (e *Evaluation) unknownGolds() int {
	if e.library.empty() {
		return -1
	}
	n := 0
	for i := range e.Topics {
		for _, g := range e.Topics[i].Golds {
			if g.Patent == nil {
				n++
			}
		}
	}
	return n
}

func (e *Evaluation) ceiling() *PoolResult {
	p := &PoolResult{Name: e.Config.Pool}
	for i := range e.Topics {
		n := e.Topics[i].inPool(ceilingDepth)
		p.Ceiling += float64(n) / float64(len(e.Topics[i].Golds))
		if n == 0 {
			p.TopicsWithoutGold++
		}
	}
	p.Ceiling /= float64(len(e.Topics))
	return p
}

// reachable reports of a topic whether the pool holds a gold of it.
func (e *Evaluation) reachable(r *Scored) func(t int) bool {
	return func(t int) bool {
		if e.Config.Pool != "" {
			return e.Topics[t].inPool(ceilingDepth) > 0
		}
		for _, rank := range r.Ranks[t] {
			if rank > 0 {
				return true
			}
		}
		return false
	}
}

// warnings are what a reader of the figures must know.
func (r *RunResult) warnings(topics int) []string {
	var all []string
	say := func(n int64, format string, args ...any) {
		if n > 0 {
			all = append(all, "run "+r.Name+": "+fmt.Sprintf(format, args...))
		}
	}
	c := r.Counts
	say(c.CollapsedTopics, "COLLAPSED: in %d of %d topics all candidates have the same score, so their order is that of their ids and says nothing about the model", c.CollapsedTopics, topics)
	say(c.MissingTopics, "%d of %d topics have no ranking and score 0", c.MissingTopics, topics)
	if r.File != "" { // a pool has the topics of every set
		say(c.UnknownTopics, "%d topics have no gold in the qrels and are left out", c.UnknownTopics)
	}
	say(c.TopicsByPatent, "%d topics are in the qrels with another kind code or none, and were taken for the same", c.TopicsByPatent)
	say(c.Duplicates, "%d rows are of a patent that has a better rank in its topic, and were dropped", c.Duplicates)
	say(c.Scattered, "the rows of topic %s, and of others (%d times), are not together: is the file two runs in one?", c.ScatteredTopic, c.Scattered)
	say(c.UnknownPatents, "%d rows are of patents that are not in patents/", c.UnknownPatents)
	say(c.OutsidePool, "%d rows are of patents outside the pool", c.OutsidePool)
	return all
}
