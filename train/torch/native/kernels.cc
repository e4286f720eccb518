#include "kernels.h"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DT_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DT_CLONES
#endif

namespace dt {

// exp_below is e^x for x <= 0, within 2 units of the last place; under -87 it is 0 or nearly so.
static inline float exp_below(float x) {
  x = x < -87.0f ? -87.0f : x;
  const float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  float n = x * 1.44269504088896341f + magic;
  int32_t bits;
  std::memcpy(&bits, &n, 4);
  n -= magic;
  float r = x - n * 0.693359375f;
  r -= n * -2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * r * r + r + 1.0f;
  int32_t power = (bits + 127) << 23;  // the low bits of n + magic hold n
  float two;
  std::memcpy(&two, &power, 4);
  return y * two;
}

DT_CLONES void softmax_row(float *s, const float *bias, float scale, int64_t n) {
  float top = -3.4e38f;
#pragma omp simd reduction(max : top)
  for (int64_t i = 0; i < n; i++) {
    s[i] = s[i] * scale + bias[i];
    top = s[i] > top ? s[i] : top;
  }
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++) {
    s[i] = exp_below(s[i] - top);
    sum += s[i];
  }
  float inverse = 1 / sum;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) s[i] *= inverse;
}

DT_CLONES void drop_row(float *y, const float *x, int64_t n, Keys keys, uint32_t threshold, float keep) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    float factor = keys.at(static_cast<uint32_t>(i)) >= threshold ? keep : 0.0f;
    y[i] = x[i] * factor;
  }
}

DT_CLONES void drop_row(uint16_t *y, const uint16_t *x, int64_t n, Keys keys, uint32_t threshold, float keep) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits = static_cast<uint32_t>(x[i]) << 16;  // a bfloat16 is the upper half of a float
    float v;
    std::memcpy(&v, &bits, 4);
    v *= keys.at(static_cast<uint32_t>(i)) >= threshold ? keep : 0.0f;
    std::memcpy(&bits, &v, 4);
    y[i] = static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
}

DT_CLONES void softmax_back_row(float *d, const float *p, float scale, int64_t n) {
  float dot = 0;
#pragma omp simd reduction(+ : dot)
  for (int64_t i = 0; i < n; i++) dot += d[i] * p[i];
#pragma omp simd
  for (int64_t i = 0; i < n; i++) d[i] = scale * p[i] * (d[i] - dot);
}

}  // namespace dt
