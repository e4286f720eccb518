package report

import (
	"slices"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/measure"
)

// depths are the cut-offs of the curves.
var depths = []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1000}

// curved are the measures of the curves.
var curved = []string{"Recall", "PRES"}

// curves measures every system at every depth.
func curves(e *eval.Evaluation, systems []compare.System) (Curves, error) {
	c := Curves{K: depths, Measures: curved}
	for _, name := range curved {
		m, err := measure.Parse(name)
		if err != nil {
			return c, err
		}
		var at []measure.Measure
		for _, k := range depths {
			at = append(at, m.At(k))
		}
		byRun := map[string][]float64{}
		for _, run := range e.Runs {
			byRun[run.Name] = e.Averages(run, at)
		}
		var values [][]float64
		for _, s := range systems {
			values = append(values, overSeeds(s, len(depths), func(run string) []float64 { return byRun[run] }))
		}
		c.Values = append(c.Values, values)
	}
	return c, nil
}

// overSeeds is the mean of a system's runs, rounded.
func overSeeds(s compare.System, n int, of func(run string) []float64) []float64 {
	mean := make([]float64, n)
	for _, run := range s.Runs {
		for i, v := range of(run) {
			mean[i] += v / float64(len(s.Runs))
		}
	}
	for i := range mean {
		mean[i] = rounded(mean[i])
	}
	return mean
}

// sliceParts are the slices of all systems, in the order of the first run.
func sliceParts(r eval.Result, systems []compare.System) []SlicePart {
	byRun := map[string]eval.RunResult{}
	for _, run := range r.Runs {
		byRun[run.Name] = run
	}
	var parts []SlicePart
	for i, part := range r.Runs[0].Slices {
		shown := SlicePart{Slice: part.Slice, Part: part.Part, Topics: part.Topics, Golds: part.Golds, Dropped: part.Dropped}
		for _, s := range systems {
			shown.Values = append(shown.Values, sliceValues(r.Measures, s, func(run string) map[string]float64 { return byRun[run].Slices[i].Values }))
		}
		parts = append(parts, shown)
	}
	return parts
}

func sliceValues(measures []string, s compare.System, of func(run string) map[string]float64) []*float64 {
	values := make([]*float64, len(measures))
	for m, name := range measures {
		sum, all := 0.0, true
		for _, run := range s.Runs {
			v, ok := of(run)[name]
			sum, all = sum+v/float64(len(s.Runs)), all && ok
		}
		if all {
			sum = rounded(sum)
			values[m] = &sum
		}
	}
	return values
}

// points are the values of topics for one measure of each kind, that at the first cut-off.
func points(e *eval.Evaluation, systems []compare.System) Points {
	var p Points
	var kinds []string
	for i := range e.Topics {
		t := &e.Topics[i]
		p.Topics = append(p.Topics, PointTopic{ID: t.ID, Title: title(t), Golds: len(t.Golds)})
	}
	byRun := map[string]*eval.Scored{}
	for _, run := range e.Runs {
		byRun[run.Name] = run
	}
	for m, one := range e.Measures {
		if slices.Contains(kinds, one.Kind()) {
			continue
		}
		kinds = append(kinds, one.Kind())
		p.Measures = append(p.Measures, one.String())
		var values [][]*float64
		for _, s := range systems {
			mean := overSeeds(s, len(e.Topics), func(run string) []float64 { return byRun[run].Values[m] })
			values = append(values, nullable(mean))
		}
		p.Values = append(p.Values, values)
	}
	return p
}
