// The generator behind dropout on the CPU: a function of (seed, position), so masks need no memory, do not depend on
// the number of threads, and the whole state is two numbers.
#pragma once

#include <cstdint>

namespace dt {

struct Counter {
  uint64_t seed;
  uint64_t position;
};

extern Counter counter;

// kChunk elements share a pair of keys.
constexpr int64_t kChunk = 1 << 14;

inline uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Keys of one chunk at a position of the stream.
struct Keys {
  uint32_t a, b;
  Keys(Counter at, int64_t chunk) {
    uint64_t k = mix64(mix64(at.seed) ^ (at.position + static_cast<uint64_t>(chunk)));
    a = static_cast<uint32_t>(k);
    b = static_cast<uint32_t>(k >> 32);
  }
  // at is the 32 random bits of the i-th element of the chunk.
  inline uint32_t at(uint32_t i) const {
    uint32_t x = i ^ a;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x ^= b;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
  }
};

// Dropped keeps an element when its bits are at or above this.
inline uint32_t threshold(double p) { return static_cast<uint32_t>(p * 4294967296.0); }

}  // namespace dt
