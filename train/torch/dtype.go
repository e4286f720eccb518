package torch

import "fmt"

// DType is the type of a tensor's elements. The numbers are those of native/dssdnet_torch.h.
type DType int64

// The element types.
const (
	Float32 DType = iota
	Float16
	BFloat16
	Int64
	Int32
	Uint8
	Bool
)

var dtypes = [...]struct {
	name string
	size int
}{{"float32", 4}, {"float16", 2}, {"bfloat16", 2}, {"int64", 8}, {"int32", 4}, {"uint8", 1}, {"bool", 1}}

func (d DType) String() string {
	if d < 0 || int(d) >= len(dtypes) {
		return fmt.Sprintf("dtype %d", int64(d))
	}
	return dtypes[d].name
}

// Size is the bytes of one element.
func (d DType) Size() int { return dtypes[d].size }
