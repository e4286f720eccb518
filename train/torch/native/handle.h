// Handles and the fence that turns exceptions into error text.
#pragma once

#include <ATen/ATen.h>
#include <atomic>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <string>

#include "dssdnet_torch.h"

namespace dt {

extern std::atomic<int64_t> live;

inline at::Tensor &ref(dt_tensor t) { return *reinterpret_cast<at::Tensor *>(t); }

inline dt_tensor wrap(at::Tensor t) {
  auto *h = new at::Tensor(std::move(t));
  live.fetch_add(1, std::memory_order_relaxed);
  return reinterpret_cast<dt_tensor>(h);
}

at::ScalarType type_of(int64_t dtype);
at::Device device_of(int64_t device);
int64_t number_of(at::ScalarType type);

// release_memory gives the memory that is kept for coming tensors back to the system.
void release_memory();

// report writes "op: reason [3, 4] x [5]" into err.
void report(char *err, const char *op, const char *reason, std::initializer_list<dt_tensor> tensors);

// fence runs f and returns its value, or `failed` after writing the reason into err.
template <class R, class F>
R fence(const char *op, char *err, std::initializer_list<dt_tensor> tensors, R failed, F f) {
  try {
    return f();
  } catch (const c10::Error &e) {
    report(err, op, e.what_without_backtrace(), tensors);
  } catch (const std::exception &e) {
    report(err, op, e.what(), tensors);
  } catch (...) {
    report(err, op, "unknown exception", tensors);
  }
  return failed;
}

// make is fence for a function that returns one tensor.
template <class F>
dt_tensor make(const char *op, char *err, std::initializer_list<dt_tensor> tensors, F f) {
  return fence(op, err, tensors, dt_tensor(nullptr), [&] { return wrap(f()); });
}

// act is fence for a function that returns nothing: 0, or -1.
template <class F>
int64_t act(const char *op, char *err, std::initializer_list<dt_tensor> tensors, F f) {
  return fence(op, err, tensors, int64_t(-1), [&]() -> int64_t {
    f();
    return 0;
  });
}

}  // namespace dt
