package dssd

import "dssdnet/train/torch"

// Widths of the representation of the domain label.
const (
	domainHidden = 32
	domainWidth  = 64
)

// fusion is the first half of formula (12): e_t = W_1 tanh(W_2 t + b_2) + b_1 of the label t, and h_R of e_ds, e_di
// and e_t together.
type fusion struct {
	inner, outer linear
	regression   funnel
}

func (b *builder) fusion(name string, d int, c Config) fusion {
	return fusion{
		inner:      b.linear(name+".label.0", 1, domainHidden),
		outer:      b.linear(name+".label.1", domainHidden, domainWidth),
		regression: b.funnel(name+".regression", 2*d+domainWidth, c.FusionLayers, c.Dropout),
	}
}

func (m fusion) forward(s *torch.Session, eds, edi, t *torch.Tensor) *torch.Tensor {
	et := m.outer.forward(m.inner.forward(t.Reshape(-1, 1)).Tanh())
	return m.regression.forward(s.Cat(1, eds, edi, et))
}
