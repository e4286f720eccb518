package report

import "math"

// rounded keeps five decimals: what a chart can show, in a page half as large.
func rounded(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// nullable makes what JSON can hold of values: NaN becomes null.
func nullable(values []float64) []*float64 {
	all := make([]*float64, len(values))
	for i, v := range values {
		if !math.IsNaN(v) {
			all[i] = &v
		}
	}
	return all
}
