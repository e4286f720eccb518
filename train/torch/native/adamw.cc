#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "handle.h"

using namespace dt;

namespace {

struct Step {
  float decayed;             // 1 - lr * decay
  float beta1, fresh1;       // fresh = 1 - beta, taken in double: 1 - 0.999f is 0.005 % off
  float beta2, fresh2;
  float rate, root, eps;     // root = sqrt(1 - beta2^t), rate = lr / (1 - beta1^t)
};

// fused reads and writes each element once; as tensor operations the same step passes over memory seven times.
void fused(const Step s, float *p, const float *g, float *m, float *v, int64_t n) {
  at::parallel_for(0, n, 1 << 14, [=](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; i++) {
      float mean = s.beta1 * m[i] + s.fresh1 * g[i];
      float square = s.beta2 * v[i] + s.fresh2 * g[i] * g[i];
      m[i] = mean;
      v[i] = square;
      p[i] = p[i] * s.decayed - s.rate * mean / (std::sqrt(square) / s.root + s.eps);
    }
  });
}

}  // namespace

int64_t dt_adamw(const dt_tensor *params, const dt_tensor *mean, const dt_tensor *square, int64_t n, double lr,
                 double beta1, double beta2, double eps, double decay, int64_t step, char *err) {
  return act("adamw", err, {}, [&] {
    at::NoGradGuard quiet;
    double root = std::sqrt(1 - std::pow(beta2, static_cast<double>(step)));
    double rate = lr / (1 - std::pow(beta1, static_cast<double>(step)));
    for (int64_t i = 0; i < n; i++) {
      auto &p = ref(params[i]);
      auto g = p.grad();
      if (!g.defined()) continue;
      auto &m = ref(mean[i]);
      auto &v = ref(square[i]);
      bool plain = p.is_cpu() && p.scalar_type() == at::kFloat && p.is_contiguous() && m.is_contiguous() && v.is_contiguous();
      if (plain) {
        g = g.contiguous();
        Step s{float(1 - lr * decay), float(beta1), float(1 - beta1), float(beta2), float(1 - beta2),
               float(rate),           float(root),  float(eps)};
        fused(s, p.data_ptr<float>(), g.data_ptr<float>(), m.data_ptr<float>(), v.data_ptr<float>(), p.numel());
        continue;
      }
      p.mul_(1 - lr * decay);
      m.mul_(beta1).add_(g, 1 - beta1);
      v.mul_(beta2).addcmul_(g, g, 1 - beta2);
      p.addcdiv_(m, v.sqrt().div_(root).add_(eps), -rate);
    }
  });
}
