package compare

import (
	"math"
	"math/rand/v2"
	"slices"
)

// interval is the percentile bootstrap interval of the mean: between its two bounds lies the share confidence of the
// means of as many topics drawn again with replacement.
func interval(differences []float64, confidence float64, resamples int, random *rand.Rand) (low, high float64) {
	means := make([]float64, resamples)
	n := uint64(len(differences))
	for i := range means {
		total := 0.0
		for range differences {
			total += differences[random.Uint64N(n)]
		}
		means[i] = total / float64(n)
	}
	slices.Sort(means)
	tail := (1 - confidence) / 2
	return quantile(means, tail), quantile(means, 1-tail)
}

// quantile interpolates between the two nearest of sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
