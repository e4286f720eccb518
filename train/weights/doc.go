// Package weights carries parameters between a session and safetensors files: [Sources] names what is to be written,
// [Restore] fills existing parameters, [Tensor] reads one tensor of a known shape as float32. A packed parameter is
// several tensors of a file ([torch.Param.Parts]).
package weights
