package torch

import "math"

// The numbers of dt_unary.
const (
	opTanh = iota
	opSigmoid
	opLogSigmoid
	opExp
	opGELU
	opGELUTanh
	opReLU
	opNeg
	opSquare
	opSiLU
)

// all is the dimension that stands for all of them.
const all = math.MinInt64

// Add is t + o. Shapes broadcast here and below as in PyTorch.
func (t *Tensor) Add(o *Tensor) *Tensor { return t.plus(o, 1) }

// Sub is t - o.
func (t *Tensor) Sub(o *Tensor) *Tensor { return t.plus(o, -1) }

func (t *Tensor) plus(o *Tensor, alpha float64) *Tensor {
	if !t.s.ready(t, o) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.add(t.h, o.h, alpha, t.s.report()))
}

// Mul is the elementwise product.
func (t *Tensor) Mul(o *Tensor) *Tensor {
	if !t.s.ready(t, o) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.mul(t.h, o.h, t.s.report()))
}

// Div is the elementwise quotient.
func (t *Tensor) Div(o *Tensor) *Tensor {
	if !t.s.ready(t, o) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.div(t.h, o.h, t.s.report()))
}

// MatMul is the matrix product of the last two dimensions.
func (t *Tensor) MatMul(o *Tensor) *Tensor {
	if !t.s.ready(t, o) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.matmul(t.h, o.h, t.s.report()))
}

// Affine is scale*t + shift.
func (t *Tensor) Affine(scale, shift float64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.affine(t.h, scale, shift, t.s.report()))
}

// Scale is by*t.
func (t *Tensor) Scale(by float64) *Tensor { return t.Affine(by, 0) }

func (t *Tensor) unary(op int64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.unary(t.h, op, t.s.report()))
}

// Tanh is the hyperbolic tangent.
func (t *Tensor) Tanh() *Tensor { return t.unary(opTanh) }

// Sigmoid is 1/(1+e^-t).
func (t *Tensor) Sigmoid() *Tensor { return t.unary(opSigmoid) }

// LogSigmoid is the logarithm of Sigmoid, without underflow.
func (t *Tensor) LogSigmoid() *Tensor { return t.unary(opLogSigmoid) }

// Exp is e^t.
func (t *Tensor) Exp() *Tensor { return t.unary(opExp) }

// GELU is the exact one, with erf.
func (t *Tensor) GELU() *Tensor { return t.unary(opGELU) }

// GELUTanh is the approximation of GELU by tanh.
func (t *Tensor) GELUTanh() *Tensor { return t.unary(opGELUTanh) }

// ReLU is max(t, 0).
func (t *Tensor) ReLU() *Tensor { return t.unary(opReLU) }

// Neg is -t.
func (t *Tensor) Neg() *Tensor { return t.unary(opNeg) }

// Square is t*t.
func (t *Tensor) Square() *Tensor { return t.unary(opSquare) }

// SiLU is t*sigmoid(t).
func (t *Tensor) SiLU() *Tensor { return t.unary(opSiLU) }

// Pow raises every element to a power.
func (t *Tensor) Pow(exponent float64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.pow(t.h, exponent, t.s.report()))
}

// ClampMin is max(t, low).
func (t *Tensor) ClampMin(low float64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.clampMin(t.h, low, t.s.report()))
}

// Greater is true where t > than.
func (t *Tensor) Greater(than float64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.greater(t.h, than, t.s.report()))
}

// Sum adds all elements up.
func (t *Tensor) Sum() *Tensor { return t.reduce(t.s.c.sum, all, 0) }

// Mean is the mean of all elements.
func (t *Tensor) Mean() *Tensor { return t.reduce(t.s.c.mean, all, 0) }

// MeanOver is the mean over one dimension, which stays with length 1.
func (t *Tensor) MeanOver(dim int) *Tensor { return t.reduce(t.s.c.mean, int64(dim), 1) }

func (t *Tensor) reduce(f func(handle, int64, int64, *byte) handle, dim, keep int64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(f(t.h, dim, keep, t.s.report()))
}

// TopK is the k largest elements of the last dimension, largest first.
func (t *Tensor) TopK(k int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.topk(t.h, int64(k), t.s.report()))
}
