package measure

// success is 1 when a gold is in the first k, else 0. trec_eval: success.k. Hit@k, the measure of X-Embedding, is the
// same under another name.
func success(t *Topic, k int) float64 {
	if len(t.within(k)) > 0 {
		return 1
	}
	return 0
}
