package weights

import (
	"fmt"
	"slices"

	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
)

// Sources are parameters to write as float32, named with a prefix; packed ones as their parts. They are copied from
// the device one by one while they are written.
func Sources(s *torch.Session, params []torch.Param, prefix string) []safetensors.Source {
	var all []safetensors.Source
	for _, p := range params {
		names := prefixed(prefix, p)
		shape := slices.Clone(p.Value.Shape())
		if len(names) > 1 {
			shape[0] /= len(names)
		}
		for i, name := range names {
			source := safetensors.Source{Name: name, DType: safetensors.F32, Shape: shape}
			source.Bytes = func() ([]byte, error) {
				data, err := slice(s, p.Value, i, len(names))
				if err != nil {
					return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
				}
				return data, nil
			}
			all = append(all, source)
		}
	}
	return all
}

// slice copies the i-th of n equal slices of the first dimension out.
func slice(s *torch.Session, t *torch.Tensor, i, n int) ([]byte, error) {
	var data []byte
	err := s.Scope(func() error {
		if n > 1 {
			rows := t.Dim(0) / n
			t = t.Narrow(0, i*rows, rows)
		}
		data = make([]byte, t.Len()*torch.Float32.Size())
		t.Bytes(data)
		return nil
	})
	return data, err
}
