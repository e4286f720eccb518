package dssd

import "dssdnet/train/torch"

// focal is formula (10): with t^ = sigmoid(z),
//
//	-alpha t (1-t^)^gamma log t^ - (1-alpha) (1-t) t^^gamma log(1-t^)
//
// as the mean over the batch. Powers are taken through logarithms, which stay finite where t^ rounds to 0 or 1.
func focal(z, t *torch.Tensor, alpha, gamma float64) *torch.Tensor {
	logYes, logNo := z.LogSigmoid(), z.Neg().LogSigmoid()
	same := t.Mul(logNo.Scale(gamma).Exp()).Mul(logYes).Scale(alpha)
	other := t.Affine(-1, 1).Mul(logYes.Scale(gamma).Exp()).Mul(logNo).Scale(1 - alpha)
	return same.Add(other).Mean().Neg()
}
