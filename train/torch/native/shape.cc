#include "handle.h"

using namespace dt;

dt_tensor dt_reshape(dt_tensor t, const int64_t *dims, int64_t ndims, char *err) {
  return make("reshape", err, {t}, [&] { return ref(t).reshape(at::IntArrayRef(dims, ndims)); });
}

dt_tensor dt_transpose(dt_tensor t, int64_t a, int64_t b, char *err) {
  return make("transpose", err, {t}, [&] { return ref(t).transpose(a, b); });
}

dt_tensor dt_narrow(dt_tensor t, int64_t dim, int64_t start, int64_t length, char *err) {
  return make("narrow", err, {t}, [&] { return ref(t).narrow(dim, start, length); });
}

dt_tensor dt_select(dt_tensor t, int64_t dim, int64_t index, char *err) {
  return make("select", err, {t}, [&] { return ref(t).select(dim, index); });
}

dt_tensor dt_index_select(dt_tensor t, int64_t dim, dt_tensor index, char *err) {
  return make("index_select", err, {t, index}, [&] { return ref(t).index_select(dim, ref(index)); });
}

dt_tensor dt_cat(const dt_tensor *ts, int64_t n, int64_t dim, char *err) {
  return make("cat", err, {n > 0 ? ts[0] : nullptr, n > 1 ? ts[1] : nullptr}, [&] {
    std::vector<at::Tensor> all;
    all.reserve(n);
    for (int64_t i = 0; i < n; i++) all.push_back(ref(ts[i]));
    return at::cat(all, dim);
  });
}

dt_tensor dt_detach(dt_tensor t, char *err) {
  return make("detach", err, {t}, [&] { return ref(t).detach(); });
}
