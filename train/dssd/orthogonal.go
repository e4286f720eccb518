package dssd

import "dssdnet/train/torch"

// orthogonal is formula (8): the mean squared entry of the cross-covariance C = E_ds^T E_di / B of the two parts, each
// centred over the batch. The text says "mean squared cross-covariance"; the printed formula lacks the square.
func orthogonal(eds, edi *torch.Tensor) *torch.Tensor {
	centre := func(e *torch.Tensor) *torch.Tensor {
		e = e.To(torch.Float32)
		return e.Sub(e.MeanOver(0))
	}
	c := centre(eds).Transpose(0, 1).MatMul(centre(edi)).Scale(1 / float64(eds.Dim(0)))
	return c.Square().Mean()
}
