#include <ATen/core/grad_mode.h>

#include <cmath>

#include "handle.h"

using namespace dt;

int64_t dt_require_grad(dt_tensor t, int64_t on, char *err) {
  return act("require_grad", err, {t}, [&] { ref(t).requires_grad_(on != 0); });
}

dt_tensor dt_grad(dt_tensor t, char *err) {
  return make("grad", err, {t}, [&] {
    auto g = ref(t).grad();
    return g.defined() ? g : at::zeros_like(ref(t));
  });
}

int64_t dt_backward(dt_tensor loss, char *err) {
  return act("backward", err, {loss}, [&] { ref(loss).backward(); });
}

int64_t dt_zero_grad(const dt_tensor *params, int64_t n, char *err) {
  return act("zero_grad", err, {}, [&] {
    for (int64_t i = 0; i < n; i++) ref(params[i]).mutable_grad().reset();
  });
}

double dt_grad_norm(const dt_tensor *params, int64_t n, char *err) {
  return fence("grad_norm", err, {}, -1.0, [&] {
    at::NoGradGuard quiet;
    std::vector<at::Tensor> norms;
    for (int64_t i = 0; i < n; i++) {
      auto g = ref(params[i]).grad();
      if (g.defined()) norms.push_back(g.norm().to(at::kFloat));
    }
    return norms.empty() ? 0.0 : at::stack(norms).norm().item().toDouble();
  });
}

int64_t dt_scale_grad(const dt_tensor *params, int64_t n, double by, char *err) {
  return act("scale_grad", err, {}, [&] {
    at::NoGradGuard quiet;
    for (int64_t i = 0; i < n; i++) {
      auto g = ref(params[i]).grad();
      if (g.defined()) g.mul_(by);
    }
  });
}
