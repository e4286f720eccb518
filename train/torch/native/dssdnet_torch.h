// The C interface between dssdnet and libtorch. Go loads it with dlopen (train/torch); nothing else links it.
//
// Conventions
//   - A tensor is an opaque handle. Every function that returns one makes a new handle; dt_free drops it. The storage
//     behind a handle is shared and counted by libtorch.
//   - `err` points to DT_ERROR_BYTES of the caller's. On failure the function writes one line of text there (the
//     operation, the reason, the shapes of its tensors) and returns NULL or -1. It never throws and never aborts.
//   - Gradient recording and autocast are states of the calling thread: make all calls of one session from one
//     thread.
#ifndef DSSDNET_TORCH_H
#define DSSDNET_TORCH_H

#include <stdint.h>

#define DT_ABI 3             // raised when a function changes or goes; the Go side refuses another number
#define DT_ERROR_BYTES 2048

#define DT_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dt_tensor_s *dt_tensor;

// Numbers of the element types, the same on both sides.
enum { DT_FLOAT32 = 0, DT_FLOAT16 = 1, DT_BFLOAT16 = 2, DT_INT64 = 3, DT_INT32 = 4, DT_UINT8 = 5, DT_BOOL = 6 };
// A device is DT_CPU or the number of a CUDA device.
enum { DT_CPU = -1 };

// library.cc
DT_API int64_t dt_abi(void);
DT_API const char *dt_version(void);                        // "2.5.1", static
DT_API int64_t dt_describe(char *buffer, int64_t size);     // BLAS, compiler and CPU capability, for bug reports
DT_API int64_t dt_threads(void);
DT_API void dt_set_threads(int64_t n);
DT_API int64_t dt_cuda_devices(void);                       // 0 without CUDA
DT_API int64_t dt_device_name(int64_t device, char *buffer, int64_t size);
DT_API int64_t dt_memory_used(int64_t device, char *err);   // bytes of a CUDA device in use, by anyone; 0 for the CPU
DT_API int64_t dt_synchronize(int64_t device, char *err);
DT_API int64_t dt_live_tensors(void);                       // handles not yet freed

// state.cc: states of the calling thread, and generators
DT_API void dt_set_grad(int64_t on);
DT_API void dt_set_autocast(int64_t device, int64_t dtype); // dtype < 0 ends it and drops the cached casts
DT_API int64_t dt_seed(int64_t device, uint64_t seed, char *err);
DT_API dt_tensor dt_generator_state(int64_t device, char *err);            // uint8, to hand back to dt_set_generator_state
DT_API int64_t dt_set_generator_state(int64_t device, dt_tensor state, char *err);

// tensor.cc
DT_API dt_tensor dt_from_data(const void *data, int64_t bytes, int64_t dtype, const int64_t *dims, int64_t ndims,
                       int64_t device, char *err);   // copies data
DT_API dt_tensor dt_full(double value, int64_t dtype, const int64_t *dims, int64_t ndims, int64_t device, char *err);
DT_API int64_t dt_copy_out(dt_tensor t, void *data, int64_t bytes, char *err);  // row-major, the tensor's own type
DT_API int64_t dt_copy_into(dt_tensor to, dt_tensor from, char *err);           // in place, not recorded
DT_API dt_tensor dt_convert(dt_tensor t, int64_t dtype, int64_t device, char *err);
DT_API void dt_free(dt_tensor t);
DT_API int64_t dt_ndims(dt_tensor t);
DT_API void dt_dims(dt_tensor t, int64_t *dims);
DT_API int64_t dt_dtype(dt_tensor t);
DT_API int64_t dt_device(dt_tensor t);
DT_API double dt_item(dt_tensor t, char *err);              // the only element
DT_API int64_t dt_normal(dt_tensor t, double mean, double deviation, char *err);  // fills in place, not recorded
DT_API int64_t dt_uniform(dt_tensor t, double low, double high, char *err);

// shape.cc
DT_API dt_tensor dt_reshape(dt_tensor t, const int64_t *dims, int64_t ndims, char *err);
DT_API dt_tensor dt_transpose(dt_tensor t, int64_t a, int64_t b, char *err);
DT_API dt_tensor dt_narrow(dt_tensor t, int64_t dim, int64_t start, int64_t length, char *err);
DT_API dt_tensor dt_select(dt_tensor t, int64_t dim, int64_t index, char *err);
DT_API dt_tensor dt_index_select(dt_tensor t, int64_t dim, dt_tensor index, char *err);
DT_API dt_tensor dt_cat(const dt_tensor *ts, int64_t n, int64_t dim, char *err);
DT_API dt_tensor dt_detach(dt_tensor t, char *err);

// math.cc
DT_API dt_tensor dt_add(dt_tensor a, dt_tensor b, double alpha, char *err);  // a + alpha b
DT_API dt_tensor dt_mul(dt_tensor a, dt_tensor b, char *err);
DT_API dt_tensor dt_div(dt_tensor a, dt_tensor b, char *err);
DT_API dt_tensor dt_affine(dt_tensor t, double scale, double shift, char *err);
DT_API dt_tensor dt_unary(dt_tensor t, int64_t op, char *err);
DT_API dt_tensor dt_pow(dt_tensor t, double exponent, char *err);
DT_API dt_tensor dt_clamp_min(dt_tensor t, double low, char *err);
DT_API dt_tensor dt_greater(dt_tensor t, double than, char *err);            // bool
DT_API dt_tensor dt_sum(dt_tensor t, int64_t dim, int64_t keep, char *err);  // dim == INT64_MIN sums all
DT_API dt_tensor dt_mean(dt_tensor t, int64_t dim, int64_t keep, char *err);
DT_API dt_tensor dt_topk(dt_tensor t, int64_t k, char *err);                 // the k largest of the last dimension, sorted
DT_API dt_tensor dt_matmul(dt_tensor a, dt_tensor b, char *err);
enum { DT_TANH, DT_SIGMOID, DT_LOG_SIGMOID, DT_EXP, DT_GELU, DT_GELU_TANH, DT_RELU, DT_NEG, DT_SQUARE, DT_SILU };

// nn.cc
DT_API dt_tensor dt_linear(dt_tensor x, dt_tensor w, dt_tensor b, char *err);  // x w^T + b; b may be NULL
DT_API dt_tensor dt_embedding(dt_tensor table, dt_tensor index, char *err);
DT_API dt_tensor dt_layer_norm(dt_tensor x, dt_tensor w, dt_tensor b, double eps, char *err);
DT_API dt_tensor dt_softmax(dt_tensor t, int64_t dim, char *err);
DT_API dt_tensor dt_dropout(dt_tensor t, double p, char *err);
// softmax(q k^T / sqrt(d) + bias) v for each of `heads` heads, with dropout p on the probabilities. packed holds keys and
// values [B,S,2W] for queries q [B,Q,W], or, when q is NULL, queries, keys and values [B,S,3W]. bias [B,S], which may be
// NULL, is added to every row of scores.
DT_API dt_tensor dt_attention(dt_tensor q, dt_tensor packed, dt_tensor bias, int64_t heads, double p, char *err);

// grad.cc
DT_API int64_t dt_require_grad(dt_tensor t, int64_t on, char *err);
DT_API dt_tensor dt_grad(dt_tensor t, char *err);           // a zero tensor when none has been computed
DT_API int64_t dt_backward(dt_tensor loss, char *err);
DT_API int64_t dt_zero_grad(const dt_tensor *params, int64_t n, char *err);
DT_API double dt_grad_norm(const dt_tensor *params, int64_t n, char *err);      // L2 norm of all gradients together
DT_API int64_t dt_scale_grad(const dt_tensor *params, int64_t n, double by, char *err);

// adamw.cc: one step of AdamW over parameters with a gradient; mean and square are the moments, step counts from 1
DT_API int64_t dt_adamw(const dt_tensor *params, const dt_tensor *mean, const dt_tensor *square, int64_t n, double lr,
                 double beta1, double beta2, double eps, double decay, int64_t step, char *err);

#ifdef __cplusplus
}
#endif
#endif
