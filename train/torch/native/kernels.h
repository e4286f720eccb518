// Loops over one row of floats, compiled for AVX-512, AVX2 and plain x86-64 and chosen when the library is loaded.
#pragma once

#include <cstdint>

#include "random.h"

namespace dt {

// softmax_row replaces s by softmax(scale * s + bias).
void softmax_row(float *s, const float *bias, float scale, int64_t n);

// drop_row multiplies an element by `keep` or by 0 as the random bits say. y may be x. A row is at most kChunk long.
void drop_row(float *y, const float *x, int64_t n, Keys keys, uint32_t threshold, float keep);

// The same for the bits of bfloat16, rounded to the nearest, halves to even.
void drop_row(uint16_t *y, const uint16_t *x, int64_t n, Keys keys, uint32_t threshold, float keep);

// softmax_back_row turns d = dL/dp into scale * dL/ds, where p = softmax(s).
void softmax_back_row(float *d, const float *p, float scale, int64_t n);

}  // namespace dt
