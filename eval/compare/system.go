package compare

import (
	"math"
	"regexp"

	"dssdnet/eval"
)

// system is a run, or the runs of one model with different seeds.
type system struct {
	name string
	runs []*eval.Scored
}

// seedName splits the name of a run of a seed: dssdnet-seed1, dssdnet.seed-2, dssdnet_seed_3, dssdnet-s4.
var seedName = regexp.MustCompile(`^(.+?)[-._]s(?:eed)?[-_=]?(\d+)$`)

// systems puts the seeds of a model together, in the order of the runs. A model of which there is one seed only is a
// run like any other, under its own name.
func systems(runs []*eval.Scored) []system {
	count := map[string]int{}
	name := func(run *eval.Scored) string {
		if parts := seedName.FindStringSubmatch(run.Name); parts != nil {
			return parts[1]
		}
		return run.Name
	}
	for _, run := range runs {
		count[name(run)]++
	}
	var all []system
	at := map[string]int{}
	for _, run := range runs {
		group := name(run)
		if count[group] == 1 {
			group = run.Name
		}
		i, seen := at[group]
		if !seen {
			i = len(all)
			at[group] = i
			all = append(all, system{name: group})
		}
		all[i].runs = append(all[i].runs, run)
	}
	return all
}

// values are the values of the topics, each the mean over the seeds.
func (s system) values(measure int) []float64 {
	mean := make([]float64, len(s.runs[0].Values[measure]))
	for _, run := range s.runs {
		for t, v := range run.Values[measure] {
			mean[t] += v / float64(len(s.runs))
		}
	}
	return mean
}

// deviation is the standard deviation of the seeds' averages (n - 1), and whether there are two or more.
func (s system) deviation(measure int) (float64, bool) {
	if len(s.runs) < 2 {
		return 0, false
	}
	var means []float64
	for _, run := range s.runs {
		means = append(means, eval.Mean(run.Values[measure]))
	}
	center := eval.Mean(means)
	square := 0.0
	for _, m := range means {
		square += (m - center) * (m - center)
	}
	return math.Sqrt(square / float64(len(means)-1)), true
}

func (s system) names() []string {
	var names []string
	for _, run := range s.runs {
		names = append(names, run.Name)
	}
	return names
}
