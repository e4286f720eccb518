#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torch/version.h>

#include <cstring>
#include <mutex>

#include "handle.h"
#include "random.h"

using namespace dt;

namespace dt {
Counter counter{0, 0};
}

// The calls that name a device in their signature came with 2.4, and the older ones went later.
#define DT_AUTOCAST_BY_DEVICE (TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4))

void dt_set_grad(int64_t on) { at::GradMode::set_enabled(on != 0); }

void dt_set_autocast(int64_t device, int64_t dtype) {
  bool on = dtype >= 0;
#if DT_AUTOCAST_BY_DEVICE
  auto kind = device == DT_CPU ? at::kCPU : at::kCUDA;
  at::autocast::set_autocast_enabled(kind, on);
  if (on) at::autocast::set_autocast_dtype(kind, type_of(dtype));
#else
  if (device == DT_CPU) {
    at::autocast::set_cpu_enabled(on);
    if (on) at::autocast::set_autocast_cpu_dtype(type_of(dtype));
  } else {
    at::autocast::set_enabled(on);
    if (on) at::autocast::set_autocast_gpu_dtype(type_of(dtype));
  }
#endif
  if (!on) at::autocast::clear_cache();
}

static at::Generator generator(int64_t device) { return at::globalContext().defaultGenerator(device_of(device)); }

int64_t dt_seed(int64_t device, uint64_t seed, char *err) {
  return act("seed", err, {}, [&] {
    counter = Counter{seed, 0};
    generator(DT_CPU).set_current_seed(seed);
    if (device != DT_CPU) generator(device).set_current_seed(seed);
  });
}

// The state is the counter, then the CPU generator's bytes, then the device's; each with its length before it.
dt_tensor dt_generator_state(int64_t device, char *err) {
  return make("generator_state", err, {}, [&] {
    auto head = at::empty({static_cast<int64_t>(sizeof counter)}, at::kByte);
    std::memcpy(head.data_ptr(), &counter, sizeof counter);
    std::vector<at::Tensor> parts{head};
    auto add = [&](int64_t d) {
      auto g = generator(d);
      std::lock_guard<std::mutex> lock(g.mutex());
      auto state = g.get_state().cpu();
      int64_t n = state.numel();
      auto length = at::empty({8}, at::kByte);
      std::memcpy(length.data_ptr(), &n, 8);
      parts.push_back(length);
      parts.push_back(state);
    };
    add(DT_CPU);
    if (device != DT_CPU) add(device);
    return at::cat(parts);
  });
}

int64_t dt_set_generator_state(int64_t device, dt_tensor state, char *err) {
  return act("set_generator_state", err, {state}, [&] {
    auto bytes = ref(state).cpu().contiguous();
    int64_t left = bytes.numel(), at = 0;
    auto take = [&](int64_t n) {
      TORCH_CHECK(n >= 0 && n <= left, "the generator state is cut short");
      auto part = bytes.narrow(0, at, n);
      at += n;
      left -= n;
      return part;
    };
    auto head = take(sizeof counter);
    Counter c;
    std::memcpy(&c, head.data_ptr(), sizeof c);
    auto set = [&](int64_t d) {
      auto length = take(8);
      int64_t n;
      std::memcpy(&n, length.data_ptr(), 8);
      auto part = take(n).clone();
      auto g = generator(d);
      std::lock_guard<std::mutex> lock(g.mutex());
      g.set_state(part);
    };
    set(DT_CPU);
    if (device != DT_CPU) set(device);
    counter = c;
  });
}
