package trec

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Compare orders candidates best first: score descending, then id descending as trec_eval has it.
func Compare(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(b.ID, a.ID))
}

// order sorts the rankings and drops duplicates, on all cores.
func order(r *Run) {
	rankings := make([][]Candidate, len(r.topics))
	for i, topic := range r.topics {
		rankings[i] = r.rankings[topic]
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), len(rankings)))
	counts := make([]Counts, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			seen := map[string]struct{}{}
			for i := w; i < len(rankings); i += workers {
				rankings[i] = ordered(rankings[i], seen, &counts[w])
			}
		})
	}
	group.Wait()
	for i, topic := range r.topics {
		r.rankings[topic] = rankings[i]
	}
	for _, c := range counts {
		r.Counts.Duplicates += c.Duplicates
		r.Counts.TiedRows += c.TiedRows
	}
}

// ordered sorts one ranking in place. seen is memory to work in.
func ordered(rows []Candidate, seen map[string]struct{}, counts *Counts) []Candidate {
	if !slices.IsSortedFunc(rows, Compare) {
		slices.SortFunc(rows, Compare)
	}
	clear(seen)
	kept := rows[:0]
	for _, row := range rows {
		if _, twice := seen[row.ID]; twice {
			counts.Duplicates++
			continue
		}
		seen[row.ID] = struct{}{}
		if len(kept) > 0 && kept[len(kept)-1].Score == row.Score {
			counts.TiedRows++
		}
		kept = append(kept, row)
	}
	return kept
}

// step is how much [Below] goes down, as a share of the score: a few times the distance of two float32.
const step = 1e-6

// Below is a score just under another one: for candidates that keep an order below those with scores of their own. The
// range of a ranking's scores stays what it was, which whoever mixes runs scales by.
func Below(score float32) float32 {
	return score - step*max(1, float32(math.Abs(float64(score))))
}

// Collapsed reports whether all scores of a ranking of two or more are equal: a model that tells nothing apart.
func Collapsed(ranking []Candidate) bool {
	return len(ranking) > 1 && ranking[0].Score == ranking[len(ranking)-1].Score
}
