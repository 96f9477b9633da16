#include "hone/call.h"

#include <cstring>

namespace hone::tools {

Result<Call> Call::make(std::shared_ptr<runtime::Runner> runner, const std::vector<eval::Tensor>& inputs) {
  Call call(std::move(runner));
  HONE_PASS(call.take_inputs(inputs));
  HONE_PASS(call.make_outputs());
  return call;
}

Status Call::take_inputs(const std::vector<eval::Tensor>& inputs) {
  for (const eval::Tensor& tensor : inputs) input_shapes_.push_back(tensor.shape);
  for (size_t k = 0; k < inputs.size(); ++k) {
    HONE_TRY(runtime::AlignedBytes bytes, runtime::AlignedBytes::make(inputs[k].bytes.size()));
    if (!inputs[k].bytes.empty()) std::memcpy(bytes.data(), inputs[k].bytes.data(), inputs[k].bytes.size());
    inputs_.push_back({ir::name_of(inputs[k].dtype), input_shapes_[k], bytes.data()});
    memory_.push_back(std::move(bytes));
  }
  return Done{};
}

Status Call::make_outputs() {
  HONE_TRY(output_shapes_, runner_->output_shapes(inputs_));
  for (size_t k = 0; k < output_shapes_.size(); ++k) {
    int64_t size = runtime::element_size_of(runner_->face().outputs[k].dtype);
    auto wanted = static_cast<size_t>(eval::count_of(output_shapes_[k]) * size);
    HONE_TRY(runtime::AlignedBytes bytes, runtime::AlignedBytes::make(wanted));
    outputs_.push_back({bytes.data(), wanted});
    memory_.push_back(std::move(bytes));
  }
  return Done{};
}

std::vector<eval::Tensor> Call::outputs() const {
  std::vector<eval::Tensor> tensors;
  for (size_t k = 0; k < outputs_.size(); ++k) {
    auto dtype = ir::dtype_named(runner_->face().outputs[k].dtype);
    HONE_CHECK(dtype, "output of type {}", runner_->face().outputs[k].dtype);
    auto begin = static_cast<const std::byte*>(outputs_[k].data);
    tensors.push_back({*dtype, output_shapes_[k], std::vector<std::byte>(begin, begin + outputs_[k].bytes)});
  }
  return tensors;
}

}  // namespace hone::tools
