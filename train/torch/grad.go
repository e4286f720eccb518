package torch

import "unsafe"

// RequireGrad makes t a parameter, or no longer one.
func (t *Tensor) RequireGrad(on bool) *Tensor {
	if t.s.ready(t) {
		flag := int64(0)
		if on {
			flag = 1
		}
		t.s.check(t.s.c.requireGrad(t.h, flag, t.s.report()) >= 0)
	}
	return t
}

// Grad is the gradient that Backward added up in a parameter; zeros when there is none.
func (t *Tensor) Grad() *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.grad(t.h, t.s.report()))
}

// Backward adds the gradient of t, one element, to every parameter it was computed from.
func (t *Tensor) Backward() {
	if t.s.ready(t) {
		t.s.check(t.s.c.backward(t.h, t.s.report()) >= 0)
	}
}

// ZeroGrad drops the gradients of parameters.
func (s *Session) ZeroGrad(params []*Tensor) {
	if h, ok := s.handles(params); ok {
		s.check(s.c.zeroGrad(unsafe.SliceData(h), int64(len(h)), s.report()) >= 0)
	}
}

// ClipGrad scales all gradients down together so that their L2 norm is at most limit, and returns the norm before. A
// limit of 0 only measures.
func (s *Session) ClipGrad(params []*Tensor, limit float64) float64 {
	h, ok := s.handles(params)
	if !ok {
		return 0
	}
	norm := s.c.gradNorm(unsafe.SliceData(h), int64(len(h)), s.report())
	s.check(norm >= 0 || norm != norm)
	if limit > 0 && norm > limit && s.err == nil {
		s.check(s.c.scaleGrad(unsafe.SliceData(h), int64(len(h)), limit/(norm+1e-6), s.report()) >= 0)
	}
	return norm
}
