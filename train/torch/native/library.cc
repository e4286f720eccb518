#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include "handle.h"

#ifdef DT_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#endif

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

#ifdef DT_WITH_CUDA
int64_t dt_cuda_devices(void) { return c10::cuda::device_count(); }

int64_t dt_device_name(int64_t device, char *buffer, int64_t size) {
  if (device == DT_CPU) return put("CPU", buffer, size);
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, static_cast<int>(device)) != cudaSuccess) return put("CUDA", buffer, size);
  return put(p.name, buffer, size);
}

int64_t dt_memory_peak(int64_t device, char *err) {
  return fence("memory_peak", err, {}, int64_t(-1), [&]() -> int64_t {
    if (device == DT_CPU) return 0;
    auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(device));
    return stats.allocated_bytes[0].peak;
  });
}

int64_t dt_synchronize(int64_t device, char *err) {
  return act("synchronize", err, {}, [&] {
    if (device != DT_CPU) c10::cuda::device_synchronize();
  });
}
#else
int64_t dt_cuda_devices(void) { return 0; }

int64_t dt_device_name(int64_t device, char *buffer, int64_t size) {
  return put(device == DT_CPU ? "CPU" : "absent CUDA device", buffer, size);
}

int64_t dt_memory_peak(int64_t, char *) { return 0; }

int64_t dt_synchronize(int64_t, char *) { return 0; }
#endif
