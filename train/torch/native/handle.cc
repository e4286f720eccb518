#include "handle.h"

#include <c10/util/Exception.h>

namespace dt {

std::atomic<int64_t> live{0};

at::ScalarType type_of(int64_t dtype) {
  switch (dtype) {
    case DT_FLOAT32: return at::kFloat;
    case DT_FLOAT16: return at::kHalf;
    case DT_BFLOAT16: return at::kBFloat16;
    case DT_INT64: return at::kLong;
    case DT_INT32: return at::kInt;
    case DT_UINT8: return at::kByte;
    case DT_BOOL: return at::kBool;
  }
  TORCH_CHECK(false, "no element type has the number ", dtype);
}

int64_t number_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return DT_FLOAT32;
    case at::kHalf: return DT_FLOAT16;
    case at::kBFloat16: return DT_BFLOAT16;
    case at::kLong: return DT_INT64;
    case at::kInt: return DT_INT32;
    case at::kByte: return DT_UINT8;
    case at::kBool: return DT_BOOL;
    default: return -1;
  }
}

at::Device device_of(int64_t device) {
  if (device == DT_CPU) return at::Device(at::kCPU);
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(device));
}

void report(char *err, const char *op, const char *reason, std::initializer_list<dt_tensor> tensors) {
  if (err == nullptr) return;
  std::string text = reason;
  text = text.substr(0, text.find('\n'));
  std::string shapes;
  for (dt_tensor t : tensors) {
    if (t == nullptr) continue;
    shapes += shapes.empty() ? " (shapes " : ", ";
    shapes += "[";
    bool first = true;
    for (int64_t d : ref(t).sizes()) {
      if (!first) shapes += " ";
      shapes += std::to_string(d);
      first = false;
    }
    shapes += "]";
  }
  if (!shapes.empty()) shapes += ")";
  std::snprintf(err, DT_ERROR_BYTES, "%s: %s%s", op, text.c_str(), shapes.c_str());
}

}  // namespace dt
