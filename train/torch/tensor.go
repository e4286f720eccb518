package torch

import (
	"errors"
	"fmt"
	"unsafe"
)

// Tensor is a tensor of a session. Its methods make new tensors in the session's innermost scope; those that change
// it say so.
type Tensor struct {
	s *Session
	h handle
}

var errFreed = errors.New("libtorch: a tensor was used after the scope it belongs to was left: keep it with Session.Keep")

// ready says whether an operation on these tensors can run. A nil tensor is allowed only after a failure.
func (s *Session) ready(tensors ...*Tensor) bool {
	if s.err != nil {
		return false
	}
	for _, t := range tensors {
		if t == nil || t.h == 0 {
			s.err = errFreed
			return false
		}
		if t.s != s {
			s.err = errors.New("libtorch: a tensor of another session was used")
			return false
		}
	}
	return true
}

// own puts the result of a call in the innermost scope.
func (s *Session) own(h handle) *Tensor {
	t := &Tensor{s: s, h: h}
	if h == 0 {
		s.check(false)
		return t
	}
	inner := s.scopes[len(s.scopes)-1]
	inner.tensors = append(inner.tensors, t)
	return t
}

// dead is the result of an operation that did not run.
func (s *Session) dead() *Tensor { return &Tensor{s: s} }

// Shape is the tensor's dimensions; nil after a failure.
func (t *Tensor) Shape() []int {
	if !t.s.ready(t) {
		return nil
	}
	dims := make([]int64, t.s.c.ndims(t.h))
	t.s.c.dims(t.h, unsafe.SliceData(dims))
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = int(d)
	}
	return shape
}

// Dim is the length of one dimension, counted from the end when negative; 0 after a failure.
func (t *Tensor) Dim(i int) int {
	shape := t.Shape()
	if i < 0 {
		i += len(shape)
	}
	if i < 0 || i >= len(shape) {
		t.s.Fail(fmt.Errorf("libtorch: no dimension %d in shape %v", i, shape))
		return 0
	}
	return shape[i]
}

// Len is the number of elements.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.Shape() {
		n *= d
	}
	return n
}

// DType is the type of the elements.
func (t *Tensor) DType() DType {
	if !t.s.ready(t) {
		return Float32
	}
	return DType(t.s.c.dtype(t.h))
}

func dims(shape []int) []int64 {
	d := make([]int64, len(shape))
	for i, n := range shape {
		d[i] = int64(n)
	}
	return d
}

// handles are those of tensors, all ready.
func (s *Session) handles(tensors []*Tensor) ([]handle, bool) {
	if !s.ready(tensors...) {
		return nil, false
	}
	h := make([]handle, len(tensors))
	for i, t := range tensors {
		h[i] = t.h
	}
	return h, true
}
