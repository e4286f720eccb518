package eval

import (
	"math"

	"dssdnet/eval/measure"
)

// Means are the averages over some topics with some of their golds.
type Means struct {
	Topics  int                `json:"topics"`  // averaged over
	Golds   int                `json:"golds"`   // that count, in these topics
	Dropped int                `json:"dropped"` // topics left out for having no such gold
	Values  map[string]float64 `json:"values"`  // by measure; absent when no topic has a value
}

// means averages a run over the topics that in takes (nil: all), with the golds that keep takes (nil: all).
func (e *Evaluation) means(r *Scored, in func(t int) bool, keep func(t, g int) bool) Means {
	m := Means{Values: map[string]float64{}}
	sums, counts := make([]float64, len(e.Measures)), make([]int, len(e.Measures))
	for t := range e.Topics {
		if in != nil && !in(t) {
			continue
		}
		var some func(g int) bool
		if keep != nil {
			some = func(g int) bool { return keep(t, g) }
		}
		topic := e.Topics[t].measured(r.Ranks[t], some)
		if topic.Golds() == 0 {
			m.Dropped++
			continue
		}
		m.Topics++
		m.Golds += topic.Golds()
		for i := range e.Measures {
			if v, ok := e.Measures[i].Of(&topic); ok {
				sums[i] += v
				counts[i]++
			}
		}
	}
	for i := range e.Measures {
		if counts[i] > 0 {
			m.Values[e.Measures[i].String()] = sums[i] / float64(counts[i])
		}
	}
	return m
}

// Mean is the average of values that are there.
func Mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}

// Averages are the averages of a run over all topics, for measures that need not be those of the evaluation.
func (e *Evaluation) Averages(r *Scored, measures []measure.Measure) []float64 {
	sums, counts := make([]float64, len(measures)), make([]float64, len(measures))
	for t := range e.Topics {
		topic := e.Topics[t].measured(r.Ranks[t], nil)
		for i := range measures {
			if v, ok := measures[i].Of(&topic); ok {
				sums[i] += v
				counts[i]++
			}
		}
	}
	for i := range sums {
		sums[i] /= max(1, counts[i])
	}
	return sums
}
