package torch

import "unsafe"

// AdamW is the optimizer of Loshchilov and Hutter: weight decay apart from the gradient. The zero values of Beta1,
// Beta2 and Eps are not defaults; use NewAdamW.
type AdamW struct {
	Rate, Beta1, Beta2, Eps, Decay float64
	Steps                          int64 // steps taken

	params, mean, square []*Tensor
}

// NewAdamW makes the optimizer of parameters, with PyTorch's betas and eps. Its moments belong to the innermost scope.
func NewAdamW(s *Session, params []*Tensor, rate, decay float64) *AdamW {
	a := &AdamW{Rate: rate, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, Decay: decay, params: params}
	for _, p := range params {
		a.mean = append(a.mean, s.Zeros(p.Shape()...))
		a.square = append(a.square, s.Zeros(p.Shape()...))
	}
	return a
}

// Step changes every parameter that has a gradient.
func (a *AdamW) Step() {
	if len(a.params) == 0 {
		return
	}
	s := a.params[0].s
	params, ok := s.handles(a.params)
	mean, ok1 := s.handles(a.mean)
	square, ok2 := s.handles(a.square)
	if !ok || !ok1 || !ok2 {
		return
	}
	a.Steps++
	s.check(s.c.adamw(unsafe.SliceData(params), unsafe.SliceData(mean), unsafe.SliceData(square), int64(len(params)),
		a.Rate, a.Beta1, a.Beta2, a.Eps, a.Decay, a.Steps, s.report()) >= 0)
}

// ZeroGrad drops the gradients of the optimizer's parameters.
func (a *AdamW) ZeroGrad() {
	if len(a.params) > 0 {
		a.params[0].s.ZeroGrad(a.params)
	}
}

// Moments are the tensors to save with a checkpoint, in the order of the parameters: first the means of the gradients,
// then the means of their squares. Restore them with Copy, and set Steps.
func (a *AdamW) Moments() (mean, square []*Tensor) { return a.mean, a.square }
