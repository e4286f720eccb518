package torch

// Param is a named parameter of a model.
type Param struct {
	Name  string
	Value *Tensor
	// Part numbers the block of the model that it belongs to, from the input up.
	Part int
	// Parts are the names under which files keep equal slices of its first dimension; nil when it is kept whole.
	Parts []string
}

// ParamValues are the tensors of parameters.
func ParamValues(params []Param) []*Tensor {
	tensors := make([]*Tensor, len(params))
	for i, p := range params {
		tensors[i] = p.Value
	}
	return tensors
}
