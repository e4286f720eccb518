package interpolate

import (
	"math"

	"dssdnet/eval/trec"
)

// scaled are the scores of a ranking on a scale of their own, and the lowest of them. Equal scores are all 0.
func scaled(ranking []trec.Candidate, scale string) (scores map[string]float64, lowest float64) {
	if len(ranking) == 0 {
		return nil, 0
	}
	shift, width := 0.0, 0.0
	n := float64(len(ranking))
	if scale == scaleMinMax {
		shift = ranking[len(ranking)-1].Score
		width = ranking[0].Score - shift
	} else {
		for _, c := range ranking {
			shift += c.Score / n
		}
		for _, c := range ranking {
			width += (c.Score - shift) * (c.Score - shift) / n
		}
		width = math.Sqrt(width)
	}
	scores = make(map[string]float64, len(ranking))
	for _, c := range ranking {
		score := 0.0
		if width > 0 {
			score = (c.Score - shift) / width
		}
		scores[c.ID] = score
		lowest = min(lowest, score)
	}
	return scores, lowest
}
