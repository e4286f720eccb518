// Multi-head attention. On the CPU in float32 it goes head by head: the scores of one head stay in the cache, and the
// backward pass computes them again instead of keeping them (64 x 12 x 128 x 128 floats are 50 MB a layer). Elsewhere
// it is made of tensor operations.
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "handle.h"
#include "kernels.h"

using namespace dt;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

struct Shape {
  int64_t batch, queries, keys, heads, width;  // width of a head
  float scale;
  Shape(const at::Tensor &q, const at::Tensor &k, int64_t h)
      : batch(q.size(0)), queries(q.size(1)), keys(k.size(1)), heads(h), width(q.size(2) / h),
        scale(1 / std::sqrt(static_cast<float>(q.size(2) / h))) {}
};

// one head of one row of the batch: [length, width], a view.
at::Tensor head(const at::Tensor &t, int64_t i, const Shape &s) {
  return t.select(0, i / s.heads).narrow(1, (i % s.heads) * s.width, s.width);
}

struct Mask {
  Counter at;
  double p;
  // apply drops elements of the rows of head i.
  void apply(float *y, const float *x, int64_t i, const Shape &s) const {
    for (int64_t r = 0; r < s.queries; r++) {
      drop_row(y + r * s.keys, x + r * s.keys, s.keys, Keys(at, i * s.queries + r), threshold(p), static_cast<float>(1 / (1 - p)));
    }
  }
};

// probabilities of head i before dropout, into p [queries, keys].
void probabilities(at::Tensor &p, const at::Tensor &q, const at::Tensor &k, const at::Tensor &bias, int64_t i, const Shape &s) {
  at::mm_out(p, head(q, i, s), head(k, i, s).t());
  const float *b = bias.data_ptr<float>() + (i / s.heads) * s.keys;
  float *rows = p.data_ptr<float>();
  for (int64_t r = 0; r < s.queries; r++) softmax_row(rows + r * s.keys, b, s.scale, s.keys);
}

template <class F>
void each_head(const Shape &s, F f) {
  at::parallel_for(0, s.batch * s.heads, 1, [&](int64_t first, int64_t end) {
    at::AutoDispatchBelowADInplaceOrView below;  // plain kernels: no recording in the pool's threads
    for (int64_t i = first; i < end; i++) f(i);
  });
}

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &q, const at::Tensor &k, const at::Tensor &v,
                            const at::Tensor &bias, int64_t heads, double p) {
    Shape s(q, k, heads);
    Mask mask{counter, p};
    if (p > 0) counter.position += static_cast<uint64_t>(s.batch * s.heads * s.queries);
    ctx->save_for_backward({q, k, v, bias});
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["p"] = p;
    ctx->saved_data["seed"] = static_cast<int64_t>(mask.at.seed);
    ctx->saved_data["position"] = static_cast<int64_t>(mask.at.position);

    auto out = at::empty({s.batch, s.queries, q.size(2)}, q.options());
    each_head(s, [&](int64_t i) {
      auto scores = at::empty({s.queries, s.keys}, out.options());
      probabilities(scores, q, k, bias, i, s);
      float *rows = scores.data_ptr<float>();
      if (p > 0) mask.apply(rows, rows, i, s);
      auto to = head(out, i, s);
      at::mm_out(to, scores, head(v, i, s));
    });
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    const auto &q = saved[0], &k = saved[1], &v = saved[2], &bias = saved[3];
    double p = ctx->saved_data["p"].toDouble();
    Shape s(q, k, ctx->saved_data["heads"].toInt());
    Mask mask{{static_cast<uint64_t>(ctx->saved_data["seed"].toInt()), static_cast<uint64_t>(ctx->saved_data["position"].toInt())}, p};
    auto dout = grads[0].contiguous();
    auto dq = at::empty(q.sizes(), q.options()), dk = at::empty(k.sizes(), k.options()), dv = at::empty(v.sizes(), v.options());
    each_head(s, [&](int64_t i) {
      auto probs = at::empty({s.queries, s.keys}, q.options()), dropped = p > 0 ? at::empty_like(probs) : probs;
      probabilities(probs, q, k, bias, i, s);
      if (p > 0) mask.apply(dropped.data_ptr<float>(), probs.data_ptr<float>(), i, s);
      auto d = head(dout, i, s);
      auto dvi = head(dv, i, s), dqi = head(dq, i, s), dki = head(dk, i, s);
      at::mm_out(dvi, dropped.t(), d);
      auto ds = at::mm(d, head(v, i, s).t());
      float *rows = ds.data_ptr<float>();
      if (p > 0) mask.apply(rows, rows, i, s);
      const float *pr = probs.data_ptr<float>();
      for (int64_t r = 0; r < s.queries; r++) softmax_back_row(rows + r * s.keys, pr + r * s.keys, s.scale, s.keys);
      at::mm_out(dqi, ds, head(k, i, s));
      at::mm_out(dki, ds.t(), head(q, i, s));
    });
    return {dq, dk, dv, at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

at::Tensor composed(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const at::Tensor &bias, int64_t heads, double p) {
  Shape s(q, k, heads);
  auto split = [&](const at::Tensor &t) { return t.view({t.size(0), t.size(1), s.heads, s.width}).transpose(1, 2); };
  auto scores = at::matmul(split(q), split(k).transpose(-1, -2)) * s.scale;
  if (bias.defined()) scores = scores + bias.to(scores.scalar_type()).unsqueeze(1).unsqueeze(1);
  auto probs = at::softmax(scores, -1);
  if (p > 0) probs = at::dropout(probs, p, true);
  return at::matmul(probs.to(v.scalar_type()), split(v)).transpose(1, 2).reshape({s.batch, s.queries, q.size(2)});
}

}  // namespace

dt_tensor dt_attention(dt_tensor q, dt_tensor k, dt_tensor v, dt_tensor bias, int64_t heads, double p, char *err) {
  return make("attention", err, {q, k, v, bias}, [&] {
    const auto &Q = ref(q), &K = ref(k), &V = ref(v);
    auto B = bias == nullptr ? at::Tensor() : ref(bias);
    TORCH_CHECK(Q.dim() == 3 && K.dim() == 3 && K.sizes() == V.sizes() && Q.size(0) == K.size(0) && Q.size(2) == K.size(2),
                "queries, keys and values do not fit together");
    TORCH_CHECK(heads > 0 && Q.size(2) % heads == 0, heads, " heads do not divide the width ", Q.size(2));
    TORCH_CHECK(p >= 0 && p < 1, "the dropout probability must be in [0, 1), not ", p);
    TORCH_CHECK(!B.defined() || (B.dim() == 2 && B.size(0) == K.size(0) && B.size(1) == K.size(1)), "the bias does not fit the keys");
    bool fused = Q.is_cpu() && Q.scalar_type() == at::kFloat && K.scalar_type() == at::kFloat && V.scalar_type() == at::kFloat &&
                 K.size(1) <= kChunk;
    if (!fused) return composed(Q, K, V, B, heads, p);
    B = B.defined() ? B.to(at::kFloat).contiguous() : at::zeros({K.size(0), K.size(1)}, K.options());
    return Attention::apply(Q, K, V, B, heads, p);
  });
}
