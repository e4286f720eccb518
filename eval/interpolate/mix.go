package interpolate

import (
	"slices"

	"dssdnet/eval/trec"
	"dssdnet/internal/fault"
)

// Mixture is how the scores of two rankings are brought together.
type Mixture struct {
	Scale string `yaml:"scale" help:"how the scores of a topic are put on one scale: z (mean 0, deviation 1) or minmax (0 to 1)"`
	Depth int    `yaml:"depth" help:"candidates of a topic that are mixed, from the top of the pool: as many as rerank --depth scored; those behind keep their order below; 0 is all"`
}

const (
	scaleZ      = "z"
	scaleMinMax = "minmax"
)

// DefaultMixture is what commands start from.
func DefaultMixture() Mixture { return Mixture{Scale: scaleZ} }

// Validate says what is wrong with the settings.
func (m Mixture) Validate() error {
	switch {
	case m.Scale != scaleZ && m.Scale != scaleMinMax:
		return fault.New(fault.Usage, "--scale %q: known are %s and %s", m.Scale, scaleZ, scaleMinMax)
	case m.Depth < 0:
		return fault.New(fault.Usage, "--depth is %d, must be 0 (all) or more", m.Depth)
	}
	return nil
}

// Aligned are two rankings of a topic, candidate by candidate and on one scale.
type Aligned struct {
	ids         []string
	model, base []float64
	behind      []string // behind the depth, in the base's order
	Unmatched   int      // candidates that only one of the two has; they have the other's lowest value
}

// Align brings two rankings together, neither of them empty.
func (m Mixture) Align(model, base []trec.Candidate) *Aligned {
	a := &Aligned{}
	if m.Depth > 0 && len(base) > m.Depth {
		behind := make(map[string]bool, len(base)-m.Depth)
		for _, c := range base[m.Depth:] {
			a.behind = append(a.behind, c.ID)
			behind[c.ID] = true
		}
		base = base[:m.Depth]
		model = slices.DeleteFunc(slices.Clone(model), func(c trec.Candidate) bool { return behind[c.ID] })
	}
	scores, lowest := scaled(model, m.Scale)
	baseScores, baseLowest := scaled(base, m.Scale)
	add := func(id string) {
		a.ids = append(a.ids, id)
		a.model, a.base = append(a.model, or(scores, id, lowest)), append(a.base, or(baseScores, id, baseLowest))
	}
	for _, c := range model {
		add(c.ID)
	}
	for _, c := range base {
		if _, both := scores[c.ID]; !both {
			add(c.ID)
		}
	}
	a.Unmatched = 2*len(a.ids) - len(model) - len(base)
	return a
}

func or(scores map[string]float64, id string, lowest float64) float64 {
	if score, ok := scores[id]; ok {
		return score
	}
	return lowest
}

// Mix is the ranking with weight * model + (1 - weight) * base, best first. Scores are float32.
func (a *Aligned) Mix(weight float64) []trec.Candidate {
	ranking := make([]trec.Candidate, 0, len(a.ids)+len(a.behind))
	for i, id := range a.ids {
		ranking = append(ranking, trec.Candidate{ID: id, Score: float64(float32(weight*a.model[i] + (1-weight)*a.base[i]))})
	}
	slices.SortFunc(ranking, trec.Compare)
	for _, id := range a.behind {
		ranking = append(ranking, trec.Candidate{ID: id, Score: float64(trec.Below(float32(ranking[len(ranking)-1].Score)))})
	}
	return ranking
}
