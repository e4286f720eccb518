package measure

// paperMAP is 1/R * sum_j j / r_j, 0 for R = 0: MAP as formula (18) of DSSDNet's paper prints it. It divides by the R
// golds found in the first k and not by all n, so it can fall as k grows, and is no trec_eval measure: AP is that one.
func paperMAP(t *Topic, k int) float64 {
	found := t.within(k)
	if len(found) == 0 {
		return 0
	}
	return sumOfPrecisions(found) / float64(len(found))
}
