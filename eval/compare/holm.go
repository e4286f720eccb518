package compare

import (
	"cmp"
	"slices"
)

// holm corrects p-values of several tests for their number (Holm 1979): the i-th smallest of m is multiplied by
// m - i + 1, and none falls below a smaller one.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(p[a], p[b]), cmp.Compare(a, b)) })
	corrected := make([]float64, len(p))
	highest := 0.0
	for i, at := range order {
		highest = max(highest, min(1, float64(len(p)-i)*p[at]))
		corrected[at] = highest
	}
	return corrected
}
