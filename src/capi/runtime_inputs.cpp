#include "capi/runtime_inputs.h"

#include <algorithm>

#include "capi/runtime_dtype.h"

namespace hone::capi {

namespace {

bool holds(size_t bytes, std::span<const int64_t> shape, int64_t element_size) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  auto needed = static_cast<size_t>(element_size);
  for (int64_t extent : shape)
    // A negative extent is the runtime's to refuse.
    if (extent > 0 && __builtin_mul_overflow(needed, static_cast<size_t>(extent), &needed)) return false;
  return needed <= bytes;
}

}  // namespace

Status read_inputs(FewOrMany<runtime::InputTensor>& into, const runtime::Runner& runner, const hone_tensor* tensors,
                   size_t count, bool shapes_only) {
  const std::vector<runtime::PortSpec>& ports = runner.face().inputs;
  for (size_t i = 0; i < count; ++i) {
    const hone_tensor& tensor = tensors[i];
    bool is_port = i < ports.size();
    std::string_view port = is_port ? std::string_view(ports[i].name) : "";
    bool data_needed = !shapes_only || (is_port && runner.shapes_need_data(i));
    const char* dtype = name_of(tensor.dtype);
    if (dtype == nullptr)
      return error("input '{}' has the unknown element type {}", port, static_cast<int>(tensor.dtype));
    if (tensor.rank < 0 || (tensor.rank > 0 && tensor.shape == nullptr)) return error("input '{}' has no shape", port);
    std::span<const int64_t> shape(tensor.shape, static_cast<size_t>(tensor.rank));
    // Any address but null serves where no data are read.
    into[i] = {dtype, shape, data_needed ? tensor.data : &tensor};
    if (shapes_only && data_needed && tensor.data == nullptr)
      return error("the shapes of the outputs depend on the data of input '{}', and it comes without", port);
    if (data_needed && !holds(tensor.bytes, shape, runtime::element_size_of(dtype)))
      return error("input '{}' of type {} and shape [{}] comes with only {} bytes", port, dtype, fmt::join(shape, ", "),
                   tensor.bytes);
  }
  return Done{};
}

}  // namespace hone::capi
