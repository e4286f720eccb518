package measure

// averagePrecision is 1/n * sum_j j / r_j over the golds found in the first k: what they do not find counts as
// precision 0. trec_eval: map_cut.k, and map without a cut-off.
func averagePrecision(t *Topic, k int) float64 {
	return sumOfPrecisions(t.within(k)) / float64(t.Golds())
}

// sumOfPrecisions is sum_j j / r_j.
func sumOfPrecisions(found []Gold) float64 {
	sum := 0.0
	for j, gold := range found {
		sum += float64(j+1) / float64(gold.Rank)
	}
	return sum
}
