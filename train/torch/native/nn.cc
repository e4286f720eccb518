#include "handle.h"

using namespace dt;

dt_tensor dt_linear(dt_tensor x, dt_tensor w, dt_tensor b, char *err) {
  return make("linear", err, {x, w, b}, [&] { return b == nullptr ? at::linear(ref(x), ref(w)) : at::linear(ref(x), ref(w), ref(b)); });
}

dt_tensor dt_embedding(dt_tensor table, dt_tensor index, char *err) {
  return make("embedding", err, {table, index}, [&] { return at::embedding(ref(table), ref(index)); });
}

dt_tensor dt_layer_norm(dt_tensor x, dt_tensor w, dt_tensor b, double eps, char *err) {
  return make("layer_norm", err, {x, w, b}, [&] { return at::layer_norm(ref(x), ref(w).sizes(), ref(w), ref(b), eps); });
}

dt_tensor dt_softmax(dt_tensor t, int64_t dim, char *err) {
  return make("softmax", err, {t}, [&] { return at::softmax(ref(t), dim); });
}
