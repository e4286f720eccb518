package torch

import "unsafe"

// Reshape gives the elements another shape; one dimension may be -1.
func (t *Tensor) Reshape(shape ...int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	size := dims(shape)
	return t.s.own(t.s.c.reshape(t.h, unsafe.SliceData(size), int64(len(size)), t.s.report()))
}

// Transpose swaps two dimensions.
func (t *Tensor) Transpose(a, b int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.transpose(t.h, int64(a), int64(b), t.s.report()))
}

// Narrow is the part [start, start+length) of a dimension.
func (t *Tensor) Narrow(dim, start, length int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.narrow(t.h, int64(dim), int64(start), int64(length), t.s.report()))
}

// Select is one slice of a dimension, which goes away.
func (t *Tensor) Select(dim, index int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.selectAt(t.h, int64(dim), int64(index), t.s.report()))
}

// Pick is the slices of a dimension named by index, an int64 vector.
func (t *Tensor) Pick(dim int, index *Tensor) *Tensor {
	if !t.s.ready(t, index) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.indexSelect(t.h, int64(dim), index.h, t.s.report()))
}

// Cat joins tensors along a dimension.
func (s *Session) Cat(dim int, tensors ...*Tensor) *Tensor {
	h, ok := s.handles(tensors)
	if !ok {
		return s.dead()
	}
	return s.own(s.c.cat(unsafe.SliceData(h), int64(len(h)), int64(dim), s.report()))
}

// Detach is t without its history: no gradient flows through it.
func (t *Tensor) Detach() *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.detach(t.h, t.s.report()))
}
