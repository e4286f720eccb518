package bert

import (
	"fmt"

	"dssdnet/internal/fault"
	"dssdnet/train/torch"
)

// Encoder is a BERT in a session.
type Encoder struct {
	Config Config

	s           *torch.Session
	word        *torch.Tensor
	position    *torch.Tensor
	types       *torch.Tensor
	norm        affine
	layers      []*layer
	params      []torch.Param
	frozenParts int // the embeddings and the layers below; 0 when nothing is frozen
}

// affine is the weight and bias of a linear layer or of a layer norm.
type affine struct{ w, b *torch.Tensor }

// Input is a batch of token sequences as [rows, length], all on the session's device.
type Input struct {
	IDs   *torch.Tensor // int64
	Types *torch.Tensor // int64, 0 or 1
	Bias  *torch.Tensor // float32, 0 at tokens and large negative at padding; nil when there is no padding
}

// masked is the bias of padding: e to its power is 0 in float32 beside any score.
const masked = -1e9

// NewInput copies a batch to the device. mask is 1 at tokens and 0 at padding.
func NewInput(s *torch.Session, ids, types []int64, mask []uint8, rows, length int) Input {
	in := Input{IDs: torch.Of(s, ids, rows, length), Types: torch.Of(s, types, rows, length)}
	bias := make([]float32, len(mask))
	padded := false
	for i, m := range mask {
		if m == 0 {
			bias[i], padded = masked, true
		}
	}
	if padded {
		in.Bias = torch.Of(s, bias, rows, length)
	}
	return in
}

// Params are the parameters, in a fixed order. Query, key and value of a layer are one parameter.
func (e *Encoder) Params() []torch.Param { return e.params }

// Freeze keeps the embeddings and the lowest layers as they are: their parameters get no gradient. 0 freezes nothing.
func (e *Encoder) Freeze(layers int) error {
	if layers < 0 || layers > len(e.layers) {
		return fault.New(fault.Usage, "cannot freeze %d layers of an encoder that has %d", layers, len(e.layers))
	}
	e.frozenParts = 0
	if layers > 0 {
		e.frozenParts = 1 + layers
	}
	for _, p := range e.params {
		p.Value.RequireGrad(p.Part >= e.frozenParts)
	}
	return e.s.Err()
}

// Forward is the last hidden state [rows, length, hidden].
func (e *Encoder) Forward(in Input) *torch.Tensor {
	x := e.embed(in)
	for _, l := range e.layers {
		x = l.forward(x, in.Bias)
	}
	return x
}

// First is the last hidden state of the first position, that of [CLS]: [rows, hidden]. It equals the first row of
// Forward.
func (e *Encoder) First(in Input) *torch.Tensor {
	x := e.embed(in)
	last := len(e.layers) - 1
	for _, l := range e.layers[:last] {
		x = l.forward(x, in.Bias)
	}
	return e.layers[last].first(x, in.Bias).Select(1, 0)
}

func (e *Encoder) embed(in Input) *torch.Tensor {
	length := in.IDs.Dim(1)
	if length > e.Config.MaxPositions {
		e.s.Fail(fault.New(fault.Usage, "sequences of %d tokens: the encoder knows %d positions; lower --max-tokens", length, e.Config.MaxPositions))
	}
	x := e.word.Embedding(in.IDs).Add(e.types.Embedding(in.Types)).Add(e.position.Narrow(0, 0, length))
	return x.LayerNorm(e.norm.w, e.norm.b, e.Config.LayerNormEps).Dropout(e.Config.HiddenDropout)
}

// build makes the encoder around parameters that tensor gives by name and shape.
func build(s *torch.Session, c Config, tensor func(name string, parts []string, shape ...int) (*torch.Tensor, error)) (*Encoder, error) {
	e := &Encoder{Config: c, s: s}
	part := 0
	var failed error
	param := func(name string, parts []string, shape ...int) *torch.Tensor {
		t, err := tensor(name, parts, shape...)
		if err != nil {
			if failed == nil {
				failed = err
			}
			return nil
		}
		e.params = append(e.params, torch.Param{Name: name, Value: t.RequireGrad(true), Part: part, Parts: parts})
		return t
	}
	pair := func(name string, out, in int) affine {
		return affine{param(name+".weight", nil, out, in), param(name+".bias", nil, out)}
	}
	norm := func(name string) affine {
		return affine{param(name+".weight", nil, c.HiddenSize), param(name+".bias", nil, c.HiddenSize)}
	}
	h := c.HiddenSize
	e.word = param("embeddings.word_embeddings.weight", nil, c.VocabSize, h)
	e.position = param("embeddings.position_embeddings.weight", nil, c.MaxPositions, h)
	e.types = param("embeddings.token_type_embeddings.weight", nil, c.TypeVocabSize, h)
	e.norm = norm("embeddings.LayerNorm")
	for i := range c.Layers {
		part = i + 1
		at := fmt.Sprintf("encoder.layer.%d.", i)
		e.layers = append(e.layers, &layer{
			config: c,
			qkv: affine{
				param(at+"attention.self.qkv.weight", packed(at, "weight"), 3*h, h),
				param(at+"attention.self.qkv.bias", packed(at, "bias"), 3*h),
			},
			out:    pair(at+"attention.output.dense", h, h),
			norm1:  norm(at + "attention.output.LayerNorm"),
			widen:  pair(at+"intermediate.dense", c.IntermediateSize, h),
			narrow: pair(at+"output.dense", h, c.IntermediateSize),
			norm2:  norm(at + "output.LayerNorm"),
			hidden: h,
			act:    activations[c.Activation],
		})
	}
	if failed != nil {
		return nil, failed
	}
	return e, s.Err()
}

// packed are the names under which files keep the three parts of a layer's packed projection.
func packed(at, kind string) []string {
	self := at + "attention.self."
	return []string{self + "query." + kind, self + "key." + kind, self + "value." + kind}
}
