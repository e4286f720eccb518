package dssd

import "dssdnet/train/torch"

// ranking is formulas (13) and (14): H are the k largest probabilities among the negatives of the batch, and every
// positive ought to lie the margin m above each of them. It is the mean of max(0, m - (S+ - H)) over the terms that
// are above 0, and nil when a batch lacks positives or negatives. positives and negatives are places in the batch.
func ranking(s *torch.Session, z *torch.Tensor, positives, negatives []int64, k int, m float64) *torch.Tensor {
	if len(positives) == 0 || len(negatives) == 0 {
		return nil
	}
	scores := z.Sigmoid()
	hard := scores.Pick(0, torch.Of(s, negatives, len(negatives))).TopK(min(k, len(negatives)))
	right := scores.Pick(0, torch.Of(s, positives, len(positives)))
	short := hard.Reshape(1, -1).Sub(right.Reshape(-1, 1)).Affine(1, m).ReLU()
	counted := short.Greater(0).To(torch.Float32).Sum().ClampMin(1)
	return short.Sum().Div(counted)
}
