// Package torch is the part of libtorch that training needs: tensors on the CPU or a CUDA device, the operations of
// a BERT encoder and of DSSDNet's losses, automatic differentiation, AdamW, bfloat16 autocast and generator states.
//
// The binary does not link libtorch. [Do] loads a small library of our own (train/torch/native, built by
// `make native`) when a session starts; without it the error says what to install.
//
// Three rules make model code read like its formulas:
//
//   - A [Session] is one goroutine's use of one device. It holds the OS thread, because gradient recording, autocast
//     and the pool of worker threads belong to a thread. Nothing of a session may be used from another goroutine.
//   - Every tensor belongs to the innermost [Session.Scope] that was open when it was made, and is freed when that
//     scope is left. What must outlive it is kept ([Session.Keep]) or copied into a tensor of an outer scope.
//   - Operations return a tensor and no error. The first failure of a session is latched with its operation and
//     shapes, everything after it is skipped, and the scope returns it.
package torch
