#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <dlfcn.h>
#include <torch/version.h>

#include "handle.h"

using namespace dt;

static int64_t put(const std::string &text, char *buffer, int64_t size) {
  return std::snprintf(buffer, static_cast<size_t>(size), "%s", text.c_str());
}

int64_t dt_abi(void) { return DT_ABI; }

const char *dt_version(void) { return TORCH_VERSION; }

int64_t dt_describe(char *buffer, int64_t size) { return put(at::show_config(), buffer, size); }

int64_t dt_threads(void) { return at::get_num_threads(); }

void dt_set_threads(int64_t n) { at::set_num_threads(static_cast<int>(n)); }

int64_t dt_live_tensors(void) { return live.load(std::memory_order_relaxed); }

// Driver's functions, looked up at run time so that neither CUDA's headers nor its libraries are needed to build.
template <class F>
static F driver(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *address = library == nullptr ? nullptr : dlsym(library, name);
  TORCH_CHECK(address != nullptr, "the CUDA driver, libcuda.so.1, lacks ", name);
  return reinterpret_cast<F>(address);
}

int64_t dt_cuda_devices(void) {
  return fence("cuda_devices", nullptr, {}, int64_t(0), [&]() -> int64_t {
    return c10::impl::hasDeviceGuardImpl(at::kCUDA) ? c10::impl::getDeviceGuardImpl(at::kCUDA)->deviceCount() : 0;
  });
}

int64_t dt_device_name(int64_t device, char *buffer, int64_t size) {
  if (device == DT_CPU) return put("CPU", buffer, size);
  return fence("device_name", nullptr, {}, int64_t(0), [&]() -> int64_t {
    return driver<int (*)(char *, int, int)>("cuDeviceGetName")(buffer, static_cast<int>(size), static_cast<int>(device));
  });
}

int64_t dt_memory_used(int64_t device, char *err) {
  return fence("memory_used", err, {}, int64_t(-1), [&]() -> int64_t {
    if (device == DT_CPU) return 0;
    c10::DeviceGuard here(device_of(device));
    size_t free = 0, total = 0;
    int code = driver<int (*)(size_t *, size_t *)>("cuMemGetInfo_v2")(&free, &total);
    TORCH_CHECK(code == 0, "the driver answers with error ", code);
    return static_cast<int64_t>(total - free);
  });
}

int64_t dt_synchronize(int64_t device, char *err) {
  return act("synchronize", err, {}, [&] {
    if (device == DT_CPU) return;
    c10::DeviceGuard here(device_of(device));
    int code = driver<int (*)()>("cuCtxSynchronize")();
    TORCH_CHECK(code == 0, "the driver answers with error ", code);
  });
}
