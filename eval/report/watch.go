package report

import (
	"math"
	"slices"

	"dssdnet/eval"
	"dssdnet/eval/trec"
)

// watcher keeps of every ranking what the page shows, while it is in memory.
type watcher struct {
	config     Config
	histograms []Histogram
	top        [][][]trec.Candidate // by run and topic: the first candidates
	baseline   []map[string]int     // by topic: ranks of the baseline
}

// bins of a histogram.
const bins = 40

func (w *watcher) watch(i int, scored *eval.Scored, ranking func(topic int) []trec.Candidate) error {
	top := make([][]trec.Candidate, len(scored.Ranks))
	base := scored.Name == w.config.Baseline || w.config.Baseline == "" && i == 0
	if base {
		w.baseline = make([]map[string]int, len(scored.Ranks))
	}
	var scores, golds []float64
	for t, ranks := range scored.Ranks {
		all := ranking(t)
		top[t] = slices.Clone(all[:min(len(all), w.config.ExploreDepth)])
		if base {
			w.baseline[t] = make(map[string]int, len(all))
		}
		for at, c := range all {
			scores = append(scores, c.Score)
			if slices.Contains(ranks, at+1) {
				golds = append(golds, c.Score)
			}
			if base {
				w.baseline[t][c.ID] = at + 1
			}
		}
	}
	w.top = append(w.top, top)
	if len(scores) > 0 {
		w.histograms = append(w.histograms, histogram(scored.Name, scores, golds))
	}
	return nil
}

// histogram counts scores; golds are among them. It spans all but the lowest hundredth, where rows without a text lie.
func histogram(run string, scores, golds []float64) Histogram {
	slices.Sort(scores)
	h := Histogram{Run: run, Low: scores[len(scores)/100], High: scores[len(scores)-1], Gold: make([]int, bins), Other: make([]int, bins)}
	for _, s := range golds {
		h.Low = min(h.Low, max(s, scores[len(scores)/200]))
	}
	bin := func(s float64) int {
		if h.High <= h.Low {
			return 0
		}
		return int(math.Max(0, math.Min(bins-1, (s-h.Low)/(h.High-h.Low)*bins)))
	}
	for _, s := range scores {
		h.Other[bin(s)]++
	}
	for _, s := range golds {
		h.Gold[bin(s)]++
		h.Other[bin(s)]--
	}
	return h
}
