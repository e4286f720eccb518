package measure

import "math"

// ndcg is the discounted cumulative gain of the first k over that of the ideal ranking (Järvelin and Kekäläinen 2002):
// a gold gains its grade, discounted by log2(1 + rank). The ideal is made of the qrels, not of the golds found.
// trec_eval: ndcg_cut.k, and ndcg without a cut-off.
func ndcg(t *Topic, k int) float64 {
	ideal := 0.0
	for i, grade := range t.Grades {
		if k > 0 && i >= k {
			break
		}
		ideal += gain(grade, i+1)
	}
	sum := 0.0
	for _, gold := range t.within(k) {
		sum += gain(gold.Grade, gold.Rank)
	}
	return sum / ideal
}

func gain(grade, rank int) float64 { return float64(grade) / math.Log2(float64(1+rank)) }
