package measure

// reciprocalRank is 1 / r_1, 0 when no gold is in the first k. trec_eval: recip_rank, without a cut-off.
func reciprocalRank(t *Topic, k int) float64 {
	found := t.within(k)
	if len(found) == 0 {
		return 0
	}
	return 1 / float64(found[0].Rank)
}
