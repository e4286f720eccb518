// Multi-head attention. On the CPU it goes head by head in float32: the scores of one head stay in the cache, and the
// backward pass computes them again instead of keeping them (64 x 12 x 128 x 128 floats are 50 MB a layer). Elsewhere
// it is made of tensor operations.
#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
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
    at::AutoDispatchBelowADInplaceOrView below;  // plain kernels: neither recording nor autocast
    c10::impl::ExcludeDispatchKeyGuard exact(c10::autocast_dispatch_keyset);
    for (int64_t i = first; i < end; i++) f(i);
  });
}

at::Tensor run(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const at::Tensor &bias, const Shape &s, const Mask &mask) {
  auto out = at::empty({s.batch, s.queries, q.size(2)}, q.options());
  each_head(s, [&](int64_t i) {
    auto scores = at::empty({s.queries, s.keys}, out.options());
    probabilities(scores, q, k, bias, i, s);
    float *rows = scores.data_ptr<float>();
    if (mask.p > 0) mask.apply(rows, rows, i, s);
    auto to = head(out, i, s);
    at::mm_out(to, scores, head(v, i, s));
  });
  return out;
}

void run_back(const at::Tensor &dout, const at::Tensor &q, const at::Tensor &k, const at::Tensor &v, const at::Tensor &bias,
              const Shape &s, const Mask &mask, at::Tensor dq, at::Tensor dk, at::Tensor dv) {
  each_head(s, [&](int64_t i) {
    auto probs = at::empty({s.queries, s.keys}, q.options()), dropped = mask.p > 0 ? at::empty_like(probs) : probs;
    probabilities(probs, q, k, bias, i, s);
    if (mask.p > 0) mask.apply(dropped.data_ptr<float>(), probs.data_ptr<float>(), i, s);
    auto d = head(dout, i, s);
    auto dvi = head(dv, i, s), dqi = head(dq, i, s), dki = head(dk, i, s);
    at::mm_out(dvi, dropped.t(), d);
    auto ds = at::mm(d, head(v, i, s).t());
    float *rows = ds.data_ptr<float>();
    if (mask.p > 0) mask.apply(rows, rows, i, s);
    const float *pr = probs.data_ptr<float>();
    for (int64_t r = 0; r < s.queries; r++) softmax_back_row(rows + r * s.keys, pr + r * s.keys, s.scale, s.keys);
    at::mm_out(dqi, ds, head(k, i, s));
    at::mm_out(dki, ds.t(), head(q, i, s));
  });
}

// The packed projections are one tensor so that their gradients are written in place: cut with narrow, each part
// would come back as a tensor of zeros of the whole size, to be added up.
at::Tensor part(const at::Tensor &packed, int64_t i, int64_t width) { return packed.narrow(2, i * width, width); }

// Attention takes queries [B,Q,W] and packed keys and values [B,S,2W]; undefined queries mean that all three are packed
// [B,S,3W].
struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext *ctx, const at::Tensor &q, const at::Tensor &packed, const at::Tensor &bias,
                            int64_t heads, double p) {
    bool all = q.data_ptr() == packed.data_ptr();
    int64_t width = packed.size(2) / (all ? 3 : 2);
    auto queries = all ? part(packed, 0, width) : q;
    auto k = part(packed, all ? 1 : 0, width), v = part(packed, all ? 2 : 1, width);
    Shape s(queries, k, heads);
    Mask mask{counter, p};
    if (p > 0) counter.position += static_cast<uint64_t>(s.batch * s.heads * s.queries);
    ctx->save_for_backward({q, packed, bias});
    ctx->saved_data["all"] = all;
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["p"] = p;
    ctx->saved_data["seed"] = static_cast<int64_t>(mask.at.seed);
    ctx->saved_data["position"] = static_cast<int64_t>(mask.at.position);
    return run(queries, k, v, bias, s, mask);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    const auto &q = saved[0], &packed = saved[1], &bias = saved[2];
    bool all = ctx->saved_data["all"].toBool();
    int64_t width = packed.size(2) / (all ? 3 : 2);
    auto queries = all ? part(packed, 0, width) : q;
    auto k = part(packed, all ? 1 : 0, width), v = part(packed, all ? 2 : 1, width);
    Shape s(queries, k, ctx->saved_data["heads"].toInt());
    Mask mask{{static_cast<uint64_t>(ctx->saved_data["seed"].toInt()), static_cast<uint64_t>(ctx->saved_data["position"].toInt())},
              ctx->saved_data["p"].toDouble()};
    auto dpacked = at::empty(packed.sizes(), packed.options());
    auto dq = all ? part(dpacked, 0, width) : at::empty(q.sizes(), q.options());
    run_back(grads[0].contiguous(), queries, k, v, bias, s, mask, dq, part(dpacked, all ? 1 : 0, width), part(dpacked, all ? 2 : 1, width));
    return {all ? at::Tensor() : dq, dpacked, at::Tensor(), at::Tensor(), at::Tensor()};
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

dt_tensor dt_attention(dt_tensor q, dt_tensor packed, dt_tensor bias, int64_t heads, double p, char *err) {
  return make("attention", err, {q, packed, bias}, [&] {
    bool all = q == nullptr;
    auto P = ref(packed);
    auto Q = all ? P : ref(q);
    auto B = bias == nullptr ? at::Tensor() : ref(bias);
    TORCH_CHECK(Q.dim() == 3 && P.dim() == 3 && Q.size(0) == P.size(0), "queries, keys and values do not fit together");
    int64_t width = P.size(2) / (all ? 3 : 2);
    TORCH_CHECK(P.size(2) == width * (all ? 3 : 2) && (all || Q.size(2) == width), "queries, keys and values do not fit together");
    TORCH_CHECK(heads > 0 && width % heads == 0, heads, " heads do not divide the width ", width);
    TORCH_CHECK(p >= 0 && p < 1, "the dropout probability must be in [0, 1), not ", p);
    TORCH_CHECK(!B.defined() || (B.dim() == 2 && B.size(0) == P.size(0) && B.size(1) == P.size(1)), "the bias does not fit the keys");
    if (!P.is_cpu() || P.size(1) > kChunk) {
      auto queries = all ? part(P, 0, width) : Q;
      return composed(queries, part(P, all ? 1 : 0, width), part(P, all ? 2 : 1, width), B, heads, p);
    }
    B = B.defined() ? B.to(at::kFloat).contiguous() : at::zeros({P.size(0), P.size(1)}, P.options().dtype(at::kFloat));
    P = P.to(at::kFloat);
    return Attention::apply(all ? P : Q.to(at::kFloat), P, B, heads, p);
  });
}
