package weights

import (
	"slices"

	"dssdnet/internal/fault"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
)

var dtypes = map[safetensors.DType]torch.DType{
	safetensors.F32: torch.Float32, safetensors.F16: torch.Float16, safetensors.BF16: torch.BFloat16,
}

// Tensor reads a tensor of a file as float32. It belongs to the session's innermost scope.
func Tensor(s *torch.Session, file *safetensors.File, name string, shape []int) (*torch.Tensor, error) {
	t, ok := file.Tensor(name)
	if !ok {
		return nil, fault.New(fault.Rejected, "%s lacks the tensor %s: configuration and weights do not belong together", file.Path(), name)
	}
	if !slices.Equal(t.Shape, shape) {
		return nil, fault.New(fault.Rejected, "%s: tensor %s has the shape %v, the configuration says %v", file.Path(), name, t.Shape, shape)
	}
	d, ok := dtypes[t.DType]
	if !ok {
		return nil, fault.New(fault.Rejected, "%s: tensor %s has the type %s: known are F32, F16 and BF16", file.Path(), name, t.DType)
	}
	var wide *torch.Tensor
	err := s.Scope(func() error {
		wide = s.Raw(t.Data, d, shape...)
		if d != torch.Float32 {
			wide = wide.To(torch.Float32)
		}
		s.Keep(wide)
		return nil
	})
	return wide, err
}

// Join reads a packed tensor: equal slices of its first dimension under several names.
func Join(s *torch.Session, file *safetensors.File, names []string, shape []int) (*torch.Tensor, error) {
	var joined *torch.Tensor
	err := s.Scope(func() error {
		part := slices.Clone(shape)
		part[0] /= len(names)
		var all []*torch.Tensor
		for _, name := range names {
			t, err := Tensor(s, file, name, part)
			if err != nil {
				return err
			}
			all = append(all, t)
		}
		joined = s.Cat(0, all...)
		s.Keep(joined)
		return nil
	})
	return joined, err
}

// Restore overwrites parameters by the tensors of a file, named with a prefix before the parameters' names.
func Restore(s *torch.Session, file *safetensors.File, prefix string, params []torch.Param) error {
	for _, p := range params {
		err := s.Scope(func() error {
			names := prefixed(prefix, p)
			t, err := Join(s, file, names, p.Value.Shape())
			if err != nil {
				return err
			}
			p.Value.Copy(t)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// prefixed are the names that a parameter has in files.
func prefixed(prefix string, p torch.Param) []string {
	names := []string{p.Name}
	if p.Parts != nil {
		names = slices.Clone(p.Parts)
	}
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}
