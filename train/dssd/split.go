package dssd

import (
	"fmt"

	"dssdnet/train/torch"
)

// split is formula (6): the domain-sensitive part e_ds = MLP_ds(g * e_s) and the domain-insensitive part
// e_di = MLP_di((1-g) * e_s).
type split struct{ ds, di mlp }

func (b *builder) split(name string, d int, dropout float64) split {
	return split{b.mlp(name+".ds", d, dropout), b.mlp(name+".di", d, dropout)}
}

func (m split) forward(es, g *torch.Tensor) (eds, edi *torch.Tensor) {
	return m.ds.forward(g.Mul(es)), m.di.forward(g.Affine(-1, 1).Mul(es))
}

// mlp is twice a linear layer, tanh and dropout, of one width.
type mlp struct {
	layers  [2]linear
	dropout float64
}

func (b *builder) mlp(name string, d int, dropout float64) mlp {
	m := mlp{dropout: dropout}
	for i := range m.layers {
		m.layers[i] = b.linear(fmt.Sprintf("%s.%d", name, i), d, d)
	}
	return m
}

func (m mlp) forward(x *torch.Tensor) *torch.Tensor {
	for _, l := range m.layers {
		x = l.forward(x).Tanh().Dropout(m.dropout)
	}
	return x
}
