package dssd

import "dssdnet/train/torch"

// complementary is formula (9): the mean squared error of e_ds + e_di against e_s. The gradient flows into e_s too.
func complementary(es, eds, edi *torch.Tensor) *torch.Tensor {
	f := func(e *torch.Tensor) *torch.Tensor { return e.To(torch.Float32) }
	return f(eds).Add(f(edi)).Sub(f(es)).Square().Mean()
}
