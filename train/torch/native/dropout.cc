// Dropout whose mask is a function of the counter. The backward pass makes the same mask again, so none is kept.
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "handle.h"
#include "kernels.h"

using namespace dt;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

template <class T>
void drop(T *to, const T *from, int64_t n, Counter at, double p) {
  int64_t chunks = (n + kChunk - 1) / kChunk;
  uint32_t bar = threshold(p);
  float keep = static_cast<float>(1 / (1 - p));
  at::parallel_for(0, chunks, 1, [&](int64_t first, int64_t end) {
    for (int64_t c = first; c < end; c++) {
      int64_t start = c * kChunk, length = std::min(kChunk, n - start);
      drop_row(to + start, from + start, length, Keys(at, c), bar, keep);
    }
  });
}

bool ours(const at::Tensor &x) { return x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16); }

at::Tensor masked(const at::Tensor &input, Counter at, double p) {
  auto x = input.contiguous();
  auto y = at::empty_like(x);
  if (x.scalar_type() == at::kFloat) {
    drop(y.data_ptr<float>(), x.data_ptr<float>(), x.numel(), at, p);
  } else {
    drop(static_cast<uint16_t *>(y.data_ptr()), static_cast<const uint16_t *>(x.data_ptr()), x.numel(), at, p);
  }
  return y;
}

struct Dropout : torch::autograd::Function<Dropout> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &x, double p) {
    Counter at = counter;
    counter.position += static_cast<uint64_t>((x.numel() + kChunk - 1) / kChunk);
    ctx->saved_data["seed"] = static_cast<int64_t>(at.seed);
    ctx->saved_data["position"] = static_cast<int64_t>(at.position);
    ctx->saved_data["p"] = p;
    return masked(x, at, p);
  }
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    Counter at{static_cast<uint64_t>(ctx->saved_data["seed"].toInt()),
               static_cast<uint64_t>(ctx->saved_data["position"].toInt())};
    return {masked(grads[0], at, ctx->saved_data["p"].toDouble()), at::Tensor()};
  }
};

}  // namespace

dt_tensor dt_dropout(dt_tensor t, double p, char *err) {
  return make("dropout", err, {t}, [&] {
    TORCH_CHECK(p >= 0 && p < 1, "the probability must be in [0, 1), not ", p);
    auto &x = ref(t);
    if (p == 0) return x;
    if (!ours(x)) return at::dropout(x, p, true);
    return Dropout::apply(x, p);
  });
}
