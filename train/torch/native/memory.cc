// Memory of tensors on the CPU. glibc gives a large block back to the system as soon as it is free, and the next tensor is
// made of fresh pages, which the kernel clears one by one: a quarter of the time of a small encoder's inference. Here a
// large block is kept for the next tensor of its size. In use and kept, blocks are never more than were in use at one time.
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>

#include <cstring>
#include <map>
#include <mutex>

#include "handle.h"

namespace {

constexpr size_t kLarge = 1 << 20;  // bytes; malloc keeps smaller blocks itself
constexpr size_t kHead = 64;        // bytes before the data that hold the block's size, and leave the data aligned

size_t &size_of(char *block) { return *reinterpret_cast<size_t *>(block); }

// rounded up to one of 8 sizes between two powers of 2, so that batches of slightly different lengths share blocks.
size_t rounded(size_t n) {
  size_t step = size_t(1) << (60 - __builtin_clzll(n));
  return (n + step - 1) / step * step;
}

class Blocks {
 public:
  char *take(size_t size) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto fit = idle_.lower_bound(size);
    char *block;
    if (fit != idle_.end() && fit->first <= size + size / 4) {
      block = fit->second;
      drop_from_idle(fit);
    } else {
      size_t limit = std::max(most_, used_ + size);
      while (used_ + size + kept_ > limit) free_largest();
      block = fresh(size);
    }
    used_ += size_of(block);
    most_ = std::max(most_, used_);
    return block;
  }

  void give(char *block) {
    std::lock_guard<std::mutex> lock(mutex_);
    used_ -= size_of(block);
    kept_ += size_of(block);
    idle_.emplace(size_of(block), block);
  }

  void release() {
    std::lock_guard<std::mutex> lock(mutex_);
    while (!idle_.empty()) free_largest();
    most_ = used_;
  }

 private:
  using Idle = std::multimap<size_t, char *>;

  char *fresh(size_t size) {
    void *block;
    try {
      block = c10::alloc_cpu(size);
    } catch (const c10::Error &) {
      if (idle_.empty()) throw;
      while (!idle_.empty()) free_largest();
      block = c10::alloc_cpu(size);
    }
    size_of(static_cast<char *>(block)) = size;
    return static_cast<char *>(block);
  }

  void free_largest() {
    auto last = std::prev(idle_.end());
    c10::free_cpu(last->second);
    drop_from_idle(last);
  }

  void drop_from_idle(Idle::iterator i) {
    kept_ -= i->first;
    idle_.erase(i);
  }

  std::mutex mutex_;
  Idle idle_;
  size_t used_ = 0, kept_ = 0, most_ = 0;  // bytes; most_ is the highest used_ since the last release
};

Blocks &blocks = *new Blocks;  // outlives tensors that are freed when the process ends

void give_back(void *data) {
  if (data == nullptr) return;
  char *block = static_cast<char *>(data) - kHead;
  size_of(block) < kLarge ? c10::free_cpu(block) : blocks.give(block);
}

// Without `override`: which of two forms of allocate is the virtual one, and whether copy_data is one, depends on
// PyTorch's version.
struct Memory final : c10::Allocator {
  at::DataPtr allocate(size_t n) const { return get(n); }
  at::DataPtr allocate(size_t n) { return get(n); }
  void copy_data(void *to, const void *from, size_t n) const { std::memcpy(to, from, n); }
  c10::DeleterFnPtr raw_deleter() const { return give_back; }

 private:
  static at::DataPtr get(size_t n) {
    if (n == 0) return {nullptr, nullptr, give_back, at::kCPU};
    size_t size = n + kHead;
    char *block;
    if (size < kLarge) {
      block = static_cast<char *>(c10::alloc_cpu(size));
      size_of(block) = size;
    } else {
      block = blocks.take(rounded(size));
    }
    return {block + kHead, block + kHead, give_back, at::kCPU};
  }
};

const bool installed = (c10::SetCPUAllocator(new Memory, 1), true);

}  // namespace

void dt::release_memory() { blocks.release(); }
