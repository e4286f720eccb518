package torch

import (
	"fmt"
	"unsafe"
)

// Number is a Go type that a tensor's elements can be copied from and to.
type Number interface {
	~float32 | ~int64 | ~int32 | ~uint8
}

func dtypeOf[T Number]() DType {
	var v T
	switch any(v).(type) {
	case float32:
		return Float32
	case int64:
		return Int64
	case int32:
		return Int32
	}
	return Uint8
}

// Of copies values, in row-major order, into a new tensor of the session's device.
func Of[T Number](s *Session, values []T, shape ...int) *Tensor {
	return s.Raw(bytesOf(values), dtypeOf[T](), shape...)
}

// Raw makes a tensor of elements given as bytes in the machine's order.
func (s *Session) Raw(data []byte, d DType, shape ...int) *Tensor {
	if !s.ready() {
		return s.dead()
	}
	size := dims(shape)
	return s.own(s.c.fromData(unsafe.SliceData(data), int64(len(data)), int64(d), unsafe.SliceData(size), int64(len(size)), int64(s.device), s.report()))
}

// Full makes a tensor of one value.
func (s *Session) Full(value float64, d DType, shape ...int) *Tensor {
	if !s.ready() {
		return s.dead()
	}
	size := dims(shape)
	return s.own(s.c.full(value, int64(d), unsafe.SliceData(size), int64(len(size)), int64(s.device), s.report()))
}

// Zeros makes a float32 tensor of zeros.
func (s *Session) Zeros(shape ...int) *Tensor { return s.Full(0, Float32, shape...) }

// Values copies a tensor's elements out. T must be the tensor's own type.
func Values[T Number](t *Tensor) []T {
	if t.s.err == nil && t.DType() != dtypeOf[T]() {
		t.s.Fail(fmt.Errorf("libtorch: values of a %s tensor were asked for as %s", t.DType(), dtypeOf[T]()))
	}
	if !t.s.ready(t) {
		return nil
	}
	values := make([]T, t.Len())
	t.Bytes(bytesOf(values))
	return values
}

// Bytes copies a tensor's elements into data, row-major; data must be exactly as long.
func (t *Tensor) Bytes(data []byte) {
	if t.s.ready(t) {
		t.s.check(t.s.c.copyOut(t.h, unsafe.SliceData(data), int64(len(data)), t.s.report()) >= 0)
	}
}

// Item is the value of a tensor of one element; 0 after a failure.
func (t *Tensor) Item() float64 {
	if !t.s.ready(t) {
		return 0
	}
	v := t.s.c.item(t.h, t.s.report())
	t.s.check(t.s.text[0] == 0)
	return v
}

// Copy overwrites t by the elements of from, which has the same shape and any type. Nothing is recorded.
func (t *Tensor) Copy(from *Tensor) {
	if t.s.ready(t, from) {
		t.s.check(t.s.c.copyInto(t.h, from.h, t.s.report()) >= 0)
	}
}

// To converts the elements; it is t itself, under a new handle, when nothing changes.
func (t *Tensor) To(d DType) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.convert(t.h, int64(d), int64(t.s.device), t.s.report()))
}

func bytesOf[T Number](values []T) []byte {
	var v T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(v)))
}
