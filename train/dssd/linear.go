package dssd

import (
	"fmt"
	"math"

	"dssdnet/train/torch"
)

// linear is w x + b.
type linear struct{ w, b *torch.Tensor }

func (l linear) forward(x *torch.Tensor) *torch.Tensor { return x.Linear(l.w, l.b) }

// builder makes and names the parameters of the network.
type builder struct {
	s      *torch.Session
	params []torch.Param
}

// linear starts like PyTorch's: weight and bias uniform within 1/sqrt(in).
func (b *builder) linear(name string, in, out int) linear {
	bound := 1 / math.Sqrt(float64(in))
	return linear{
		w: b.param(name+".weight", b.s.Zeros(out, in).Uniform(-bound, bound)),
		b: b.param(name+".bias", b.s.Zeros(out).Uniform(-bound, bound)),
	}
}

func (b *builder) param(name string, t *torch.Tensor) *torch.Tensor {
	b.params = append(b.params, torch.Param{Name: name, Value: t.RequireGrad(true)})
	return t
}

// funnel is linear layers whose sizes fall evenly to 2, with tanh and dropout between them.
type funnel struct {
	layers  []linear
	dropout float64
}

func (b *builder) funnel(name string, from, layers int, dropout float64) funnel {
	f := funnel{dropout: dropout}
	sizes := steps(from, 2, layers)
	for i := range layers {
		f.layers = append(f.layers, b.linear(fmt.Sprintf("%s.%d", name, i), sizes[i], sizes[i+1]))
	}
	return f
}

// forward is the difference of the two logits [B], in float32: its sigmoid is column 1 of their softmax.
func (f funnel) forward(x *torch.Tensor) *torch.Tensor {
	for i, l := range f.layers {
		if i > 0 {
			x = x.Tanh().Dropout(f.dropout)
		}
		x = l.forward(x)
	}
	x = x.To(torch.Float32)
	return x.Select(1, 1).Sub(x.Select(1, 0))
}

// steps is the arithmetic sequence of n steps from one size to another, halves rounded to even: 768, 576, 385, 194, 2.
func steps(from, to, n int) []int {
	sizes := make([]int, n+1)
	for i := range sizes {
		sizes[i] = int(math.RoundToEven(float64(from) + float64(i)*float64(to-from)/float64(n)))
	}
	return sizes
}
