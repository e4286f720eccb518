package dssd

import "dssdnet/train/torch"

// gate is formula (5): e_s = W_s e + b_s, g = sigmoid(W_g e_s + b_g). Both keep the width.
type gate struct{ s, g linear }

func (b *builder) gate(name string, d int) gate {
	return gate{b.linear(name+".s", d, d), b.linear(name+".g", d, d)}
}

func (m gate) forward(e *torch.Tensor) (es, g *torch.Tensor) {
	es = m.s.forward(e)
	return es, m.g.forward(es).Sigmoid()
}
