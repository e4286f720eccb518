#include <ATen/core/grad_mode.h>

#include <cstring>

#include "handle.h"

using namespace dt;

dt_tensor dt_from_data(const void *data, int64_t bytes, int64_t dtype, const int64_t *dims, int64_t ndims,
                       int64_t device, char *err) {
  return make("from_data", err, {}, [&] {
    auto t = at::empty(at::IntArrayRef(dims, ndims), type_of(dtype));
    TORCH_CHECK(static_cast<int64_t>(t.nbytes()) == bytes, "the shape needs ", t.nbytes(), " bytes, the data has ", bytes);
    std::memcpy(t.data_ptr(), data, bytes);
    return device == DT_CPU ? t : t.to(device_of(device));
  });
}

dt_tensor dt_full(double value, int64_t dtype, const int64_t *dims, int64_t ndims, int64_t device, char *err) {
  return make("full", err, {}, [&] {
    return at::full(at::IntArrayRef(dims, ndims), value, at::TensorOptions().dtype(type_of(dtype)).device(device_of(device)));
  });
}

int64_t dt_copy_out(dt_tensor t, void *data, int64_t bytes, char *err) {
  return act("copy_out", err, {t}, [&] {
    auto host = ref(t).detach().cpu().contiguous();
    TORCH_CHECK(static_cast<int64_t>(host.nbytes()) == bytes, "the tensor has ", host.nbytes(), " bytes, the buffer ", bytes);
    std::memcpy(data, host.data_ptr(), bytes);
  });
}

int64_t dt_copy_into(dt_tensor to, dt_tensor from, char *err) {
  return act("copy_into", err, {to, from}, [&] {
    TORCH_CHECK(ref(to).sizes() == ref(from).sizes(), "the shapes differ");
    at::NoGradGuard quiet;
    ref(to).copy_(ref(from));
  });
}

dt_tensor dt_convert(dt_tensor t, int64_t dtype, int64_t device, char *err) {
  return make("convert", err, {t}, [&] { return ref(t).to(device_of(device), type_of(dtype)); });
}

void dt_free(dt_tensor t) {
  if (t == nullptr) return;
  delete &ref(t);
  if (live.fetch_sub(1, std::memory_order_relaxed) == 1) release_memory();
}

int64_t dt_ndims(dt_tensor t) { return ref(t).dim(); }

void dt_dims(dt_tensor t, int64_t *dims) {
  for (int64_t d : ref(t).sizes()) *dims++ = d;
}

int64_t dt_dtype(dt_tensor t) { return number_of(ref(t).scalar_type()); }

int64_t dt_device(dt_tensor t) { return ref(t).is_cuda() ? ref(t).get_device() : DT_CPU; }

double dt_item(dt_tensor t, char *err) {
  return fence("item", err, {t}, 0.0, [&] { return ref(t).item().toDouble(); });
}

int64_t dt_normal(dt_tensor t, double mean, double deviation, char *err) {
  return act("normal", err, {t}, [&] {
    at::NoGradGuard quiet;
    ref(t).normal_(mean, deviation);
  });
}

int64_t dt_uniform(dt_tensor t, double low, double high, char *err) {
  return act("uniform", err, {t}, [&] {
    at::NoGradGuard quiet;
    ref(t).uniform_(low, high);
  });
}
