package measure

// recall is R / n: the share of the golds that is found in the first k. trec_eval: recall.k.
func recall(t *Topic, k int) float64 {
	return float64(len(t.within(k))) / float64(t.Golds())
}
