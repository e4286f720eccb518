package dssd

import "dssdnet/train/torch"

// crossEntropy is the binary cross-entropy of labels y in {0,1} under probabilities sigmoid(z), the mean over the
// batch: formulas (7) and (12). It is taken from the logits: -y log s(z) - (1-y) log s(-z).
func crossEntropy(z, y *torch.Tensor) *torch.Tensor {
	right := y.Mul(z.LogSigmoid())
	wrong := y.Affine(-1, 1).Mul(z.Neg().LogSigmoid())
	return right.Add(wrong).Mean().Neg()
}
