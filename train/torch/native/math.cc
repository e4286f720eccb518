#include "handle.h"

using namespace dt;

dt_tensor dt_add(dt_tensor a, dt_tensor b, double alpha, char *err) {
  return make("add", err, {a, b}, [&] { return alpha == 1 ? ref(a) + ref(b) : at::add(ref(a), ref(b), alpha); });
}

dt_tensor dt_mul(dt_tensor a, dt_tensor b, char *err) {
  return make("mul", err, {a, b}, [&] { return ref(a) * ref(b); });
}

dt_tensor dt_div(dt_tensor a, dt_tensor b, char *err) {
  return make("div", err, {a, b}, [&] { return ref(a) / ref(b); });
}

dt_tensor dt_affine(dt_tensor t, double scale, double shift, char *err) {
  return make("affine", err, {t}, [&] {
    if (shift == 0) return ref(t) * scale;
    if (scale == 1) return ref(t) + shift;
    return ref(t) * scale + shift;
  });
}

dt_tensor dt_unary(dt_tensor t, int64_t op, char *err) {
  static const char *names[] = {"tanh", "sigmoid", "log_sigmoid", "exp", "gelu", "gelu_tanh", "relu", "neg", "square", "silu"};
  const char *name = op >= 0 && op <= DT_SILU ? names[op] : "unary";
  return make(name, err, {t}, [&]() -> at::Tensor {
    at::Tensor &x = ref(t);
    switch (op) {
      case DT_TANH: return at::tanh(x);
      case DT_SIGMOID: return at::sigmoid(x);
      case DT_LOG_SIGMOID: return at::log_sigmoid(x);
      case DT_EXP: return at::exp(x);
      case DT_GELU: return at::gelu(x);
      case DT_GELU_TANH: return at::gelu(x, "tanh");
      case DT_RELU: return at::relu(x);
      case DT_NEG: return at::neg(x);
      case DT_SQUARE: return at::square(x);
      case DT_SILU: return at::silu(x);
    }
    TORCH_CHECK(false, "no operation has the number ", op);
  });
}

dt_tensor dt_pow(dt_tensor t, double exponent, char *err) {
  return make("pow", err, {t}, [&] { return at::pow(ref(t), exponent); });
}

dt_tensor dt_clamp_min(dt_tensor t, double low, char *err) {
  return make("clamp_min", err, {t}, [&] { return at::clamp_min(ref(t), low); });
}

dt_tensor dt_greater(dt_tensor t, double than, char *err) {
  return make("greater", err, {t}, [&] { return at::gt(ref(t), than); });
}

dt_tensor dt_sum(dt_tensor t, int64_t dim, int64_t keep, char *err) {
  return make("sum", err, {t}, [&] { return dim == INT64_MIN ? ref(t).sum() : ref(t).sum(at::IntArrayRef{dim}, keep != 0); });
}

dt_tensor dt_mean(dt_tensor t, int64_t dim, int64_t keep, char *err) {
  return make("mean", err, {t}, [&] { return dim == INT64_MIN ? ref(t).mean() : ref(t).mean(at::IntArrayRef{dim}, keep != 0); });
}

dt_tensor dt_topk(dt_tensor t, int64_t k, char *err) {
  return make("topk", err, {t}, [&] { return std::get<0>(at::topk(ref(t), k)); });
}

dt_tensor dt_matmul(dt_tensor a, dt_tensor b, char *err) {
  return make("matmul", err, {a, b}, [&] { return at::matmul(ref(a), ref(b)); });
}
