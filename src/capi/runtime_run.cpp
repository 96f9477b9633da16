// Running, and asking for shapes.
#include "capi/runtime_dtype.h"
#include "capi/runtime_inputs.h"
#include "capi/runtime_session.h"

namespace hone::capi {

namespace {

void add_view(hone_tensors& tensors, const std::string& dtype, const std::vector<int64_t>& shape, void* data,
              size_t bytes) {
  tensors.views.push_back({dtype_named(dtype), static_cast<int32_t>(shape.size()), shape.data(), data, bytes});
}

size_t dense_bytes(const runtime::OutputTensor& tensor) {
  auto bytes = static_cast<size_t>(runtime::element_size_of(tensor.dtype));
  for (int64_t extent : tensor.shape) bytes *= static_cast<size_t>(extent);
  return bytes;
}

}  // namespace

}  // namespace hone::capi

using hone::Done;
using hone::Status;
using hone::capi::FewOrMany;
using hone::capi::guarded;
using hone::runtime::InputTensor;
using hone::runtime::OutputMemory;

extern "C" {

hone_status* hone_session_run(hone_session* session, const hone_tensor* inputs, size_t input_count,
                              hone_tensors** outputs) {
  return guarded([&]() -> Status {
    FewOrMany<InputTensor> tensors(input_count);
    HONE_PASS(hone::capi::read_inputs(tensors, *session->runner, inputs, input_count, false));
    auto made = std::make_unique<hone_tensors>();
    HONE_TRY(made->owned, session->runner->run(tensors.all()));
    for (const auto& tensor : made->owned)
      hone::capi::add_view(*made, tensor.dtype, tensor.shape, tensor.data.data(), tensor.data.size());
    *outputs = made.release();
    return Done{};
  });
}

hone_status* hone_session_run_into(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                   const hone_tensor* outputs, size_t output_count) {
  return guarded([&]() -> Status {
    FewOrMany<InputTensor> tensors(input_count);
    HONE_PASS(hone::capi::read_inputs(tensors, *session->runner, inputs, input_count, false));
    FewOrMany<OutputMemory> memory(output_count);
    for (size_t i = 0; i < output_count; ++i) memory[i] = {outputs[i].data, outputs[i].bytes};
    return session->runner->run(tensors.all(), memory.all());
  });
}

hone_status* hone_session_output_shapes(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                        hone_tensors** outputs) {
  return guarded([&]() -> Status {
    FewOrMany<InputTensor> tensors(input_count);
    const hone::runtime::Executable& executable = session->runner->face();
    HONE_PASS(hone::capi::read_inputs(tensors, *session->runner, inputs, input_count, true));
    HONE_TRY(hone::runtime::Shapes shapes, session->runner->output_shapes(tensors.all()));
    auto made = std::make_unique<hone_tensors>();
    for (size_t i = 0; i < shapes.size(); ++i) made->owned.push_back({executable.outputs[i].dtype, shapes[i], {}});
    for (const auto& tensor : made->owned)
      hone::capi::add_view(*made, tensor.dtype, tensor.shape, nullptr, hone::capi::dense_bytes(tensor));
    *outputs = made.release();
    return Done{};
  });
}

size_t hone_tensors_count(const hone_tensors* tensors) {
  return tensors->views.size();
}
const hone_tensor* hone_tensors_get(const hone_tensors* tensors, size_t number) {
  return number < tensors->views.size() ? &tensors->views[number] : nullptr;
}
void hone_tensors_free(hone_tensors* tensors) {
  delete tensors;
}
}
