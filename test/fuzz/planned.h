// Plans a run of an executable from a file: schedule, sizes, memory. Nothing is run.
#pragma once

#include "fuzz/holds.h"
#include "runtime/formula.h"
#include "runtime/session.h"

namespace hone::fuzz {

inline void plan(runtime::Executable executable) {
  constexpr uint64_t kMostWeights = 1 << 20;
  constexpr int64_t kExtent = 3;  // of every dimension that is free
  std::vector<std::byte> same = runtime::serialize(executable);
  Result<runtime::Executable> again = runtime::deserialize(same.data(), same.size());
  holds(again.ok() && *again == executable, "an executable reads back the same");
  if (executable.weight_bytes > kMostWeights) return;
  auto weights = runtime::AlignedBytes::make(executable.weight_bytes);
  runtime::Code code;
  code.functions.assign(executable.functions.size(), [](void* const*, const int64_t*, int64_t, int64_t, void*) {});
  auto session =
      runtime::Session::create(std::move(executable), std::move(code), {weights->data(), weights->size(), nullptr}, 1);
  if (!session) return;
  static const std::byte nothing{};  // plans read no data
  runtime::Shapes shapes;
  std::vector<runtime::InputTensor> inputs;
  for (const runtime::PortSpec& port : (*session)->face().inputs) {
    std::vector<int64_t>& shape = shapes.emplace_back();
    for (const runtime::Formula& extent : port.shape)
      shape.push_back(runtime::constant_value(extent).value_or(kExtent));
  }
  for (size_t i = 0; i < shapes.size(); ++i)
    inputs.push_back({(*session)->face().inputs[i].dtype, shapes[i], &nothing});
  (void)(*session)->arena_bytes(inputs).ok();
}

}  // namespace hone::fuzz
