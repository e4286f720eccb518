package torch

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// abi is the DT_ABI of native/dssdnet_torch.h that this file was written for.
const abi = 3

// handle is a dt_tensor; 0 is none.
type handle uintptr

// calls are the functions of native/dssdnet_torch.h, which says what each does. err points to errorBytes.
type calls struct {
	abi         func() int64
	version     func() string
	describe    func(buffer *byte, size int64) int64
	threads     func() int64
	setThreads  func(n int64)
	cudaDevices func() int64
	deviceName  func(device int64, buffer *byte, size int64) int64
	memoryUsed  func(device int64, err *byte) int64
	synchronize func(device int64, err *byte) int64
	liveTensors func() int64
	setGrad     func(on int64)
	setAutocast func(device, dtype int64)
	seed        func(device int64, seed uint64, err *byte) int64
	state       func(device int64, err *byte) handle
	setState    func(device int64, state handle, err *byte) int64
	fromData    func(data *byte, bytes, dtype int64, dims *int64, ndims, device int64, err *byte) handle
	full        func(value float64, dtype int64, dims *int64, ndims, device int64, err *byte) handle
	copyOut     func(t handle, data *byte, bytes int64, err *byte) int64
	copyInto    func(to, from handle, err *byte) int64
	convert     func(t handle, dtype, device int64, err *byte) handle
	free        func(t handle)
	ndims       func(t handle) int64
	dims        func(t handle, dims *int64)
	dtype       func(t handle) int64
	item        func(t handle, err *byte) float64
	normal      func(t handle, mean, deviation float64, err *byte) int64
	uniform     func(t handle, low, high float64, err *byte) int64
	reshape     func(t handle, dims *int64, ndims int64, err *byte) handle
	transpose   func(t handle, a, b int64, err *byte) handle
	narrow      func(t handle, dim, start, length int64, err *byte) handle
	selectAt    func(t handle, dim, index int64, err *byte) handle
	indexSelect func(t handle, dim int64, index handle, err *byte) handle
	cat         func(ts *handle, n, dim int64, err *byte) handle
	detach      func(t handle, err *byte) handle
	add         func(a, b handle, alpha float64, err *byte) handle
	mul         func(a, b handle, err *byte) handle
	div         func(a, b handle, err *byte) handle
	affine      func(t handle, scale, shift float64, err *byte) handle
	unary       func(t handle, op int64, err *byte) handle
	pow         func(t handle, exponent float64, err *byte) handle
	clampMin    func(t handle, low float64, err *byte) handle
	greater     func(t handle, than float64, err *byte) handle
	sum         func(t handle, dim, keep int64, err *byte) handle
	mean        func(t handle, dim, keep int64, err *byte) handle
	topk        func(t handle, k int64, err *byte) handle
	matmul      func(a, b handle, err *byte) handle
	linear      func(x, w, b handle, err *byte) handle
	embedding   func(table, index handle, err *byte) handle
	layerNorm   func(x, w, b handle, eps float64, err *byte) handle
	softmax     func(t handle, dim int64, err *byte) handle
	dropout     func(t handle, p float64, err *byte) handle
	attention   func(q, packed, bias handle, heads int64, p float64, err *byte) handle
	requireGrad func(t handle, on int64, err *byte) int64
	grad        func(t handle, err *byte) handle
	backward    func(loss handle, err *byte) int64
	zeroGrad    func(params *handle, n int64, err *byte) int64
	gradNorm    func(params *handle, n int64, err *byte) float64
	scaleGrad   func(params *handle, n int64, by float64, err *byte) int64
	adamw       func(params, mean, square *handle, n int64, lr, beta1, beta2, eps, decay float64, step int64, err *byte) int64
}

// bind looks every function up.
func (c *calls) bind(library uintptr) error {
	// The number comes first: a library of another interface must be refused before a function is missed.
	if err := bindOne(library, "dt_abi", &c.abi); err != nil {
		return err
	}
	if got := c.abi(); got != abi {
		return fmt.Errorf("it has interface %d and this program needs %d: build it again with `make native`", got, abi)
	}
	for _, f := range []struct {
		name string
		to   any
	}{
		{"version", &c.version}, {"describe", &c.describe}, {"threads", &c.threads}, {"set_threads", &c.setThreads},
		{"cuda_devices", &c.cudaDevices}, {"device_name", &c.deviceName}, {"memory_used", &c.memoryUsed},
		{"synchronize", &c.synchronize}, {"live_tensors", &c.liveTensors},
		{"set_grad", &c.setGrad}, {"set_autocast", &c.setAutocast}, {"seed", &c.seed},
		{"generator_state", &c.state}, {"set_generator_state", &c.setState},
		{"from_data", &c.fromData}, {"full", &c.full}, {"copy_out", &c.copyOut}, {"copy_into", &c.copyInto},
		{"convert", &c.convert}, {"free", &c.free}, {"ndims", &c.ndims}, {"dims", &c.dims}, {"dtype", &c.dtype},
		{"item", &c.item}, {"normal", &c.normal}, {"uniform", &c.uniform},
		{"reshape", &c.reshape}, {"transpose", &c.transpose}, {"narrow", &c.narrow}, {"select", &c.selectAt},
		{"index_select", &c.indexSelect}, {"cat", &c.cat}, {"detach", &c.detach},
		{"add", &c.add}, {"mul", &c.mul}, {"div", &c.div}, {"affine", &c.affine}, {"unary", &c.unary}, {"pow", &c.pow},
		{"clamp_min", &c.clampMin}, {"greater", &c.greater}, {"sum", &c.sum}, {"mean", &c.mean}, {"topk", &c.topk},
		{"matmul", &c.matmul}, {"linear", &c.linear}, {"embedding", &c.embedding}, {"layer_norm", &c.layerNorm},
		{"softmax", &c.softmax}, {"dropout", &c.dropout}, {"attention", &c.attention},
		{"require_grad", &c.requireGrad}, {"grad", &c.grad}, {"backward", &c.backward}, {"zero_grad", &c.zeroGrad},
		{"grad_norm", &c.gradNorm}, {"scale_grad", &c.scaleGrad}, {"adamw", &c.adamw},
	} {
		if err := bindOne(library, "dt_"+f.name, f.to); err != nil {
			return err
		}
	}
	return nil
}

func bindOne(library uintptr, name string, to any) error {
	address, err := purego.Dlsym(library, name)
	if err != nil {
		return fmt.Errorf("it lacks %s: build it again with `make native`", name)
	}
	purego.RegisterFunc(to, address)
	return nil
}
