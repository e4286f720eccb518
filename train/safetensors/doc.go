// Package safetensors reads and writes the file format of Hugging Face for named tensors: eight bytes of length, a
// JSON header with the type, shape and place of every tensor, then their bytes.
//
// A file is mapped into memory, so opening a large one costs nothing and a tensor is read when its bytes are touched.
// Every header is checked against the file: a file that was cut short, or whose tensors overlap, is refused with the
// tensor's name before anything of it is used.
package safetensors
