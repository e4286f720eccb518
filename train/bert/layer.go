package bert

import "dssdnet/train/torch"

var activations = map[string]func(*torch.Tensor) *torch.Tensor{
	"gelu":              (*torch.Tensor).GELU,
	"gelu_new":          (*torch.Tensor).GELUTanh,
	"gelu_pytorch_tanh": (*torch.Tensor).GELUTanh,
	"relu":              (*torch.Tensor).ReLU,
	"silu":              (*torch.Tensor).SiLU,
	"tanh":              (*torch.Tensor).Tanh,
}

// layer is one Transformer block, normalized after each half.
type layer struct {
	config     Config
	hidden     int
	qkv        affine // rows: query, key, value
	out, norm1 affine
	widen      affine
	narrow     affine
	norm2      affine
	act        func(*torch.Tensor) *torch.Tensor
}

func (l *layer) forward(x, bias *torch.Tensor) *torch.Tensor {
	a := x.Linear(l.qkv.w, l.qkv.b).SelfAttention(bias, l.config.Heads, l.config.AttentionDropout)
	return l.feed(x, a)
}

// first is forward for the first position only; x must be whole, as every position is attended to.
func (l *layer) first(x, bias *torch.Tensor) *torch.Tensor {
	h := l.hidden
	x0 := x.Narrow(1, 0, 1)
	q := x0.Linear(l.qkv.w.Narrow(0, 0, h), l.qkv.b.Narrow(0, 0, h))
	kv := x.Linear(l.qkv.w.Narrow(0, h, 2*h), l.qkv.b.Narrow(0, h, 2*h))
	return l.feed(x0, q.Attention(kv, bias, l.config.Heads, l.config.AttentionDropout))
}

// feed is the rest of the block after attention: every position by itself.
func (l *layer) feed(x, attended *torch.Tensor) *torch.Tensor {
	p, eps := l.config.HiddenDropout, l.config.LayerNormEps
	x = attended.Linear(l.out.w, l.out.b).Dropout(p).Add(x).LayerNorm(l.norm1.w, l.norm1.b, eps)
	y := l.act(x.Linear(l.widen.w, l.widen.b)).Linear(l.narrow.w, l.narrow.b)
	return y.Dropout(p).Add(x).LayerNorm(l.norm2.w, l.norm2.b, eps)
}
