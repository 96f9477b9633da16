#include "pipeline/choosing.h"

#include <algorithm>

namespace hone::pipeline {

using runtime::InputTensor;
using runtime::OutputMemory;
using runtime::Runner;

Result<runtime::Shapes> Choosing::output_shapes(std::span<const InputTensor> inputs) {
  HONE_TRY(std::shared_ptr<Runner> runner, runner_for(inputs));
  return runner->output_shapes(inputs);
}

Result<std::vector<runtime::OutputTensor>> Choosing::run(std::span<const InputTensor> inputs) {
  HONE_TRY(std::shared_ptr<Runner> runner, runner_for(inputs));
  return runner->run(inputs);
}

Status Choosing::run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) {
  HONE_TRY(std::shared_ptr<Runner> runner, runner_for(inputs));
  return runner->run(inputs, outputs);
}

Result<std::vector<runtime::StepTime>> Choosing::run_profiled(std::span<const InputTensor> inputs,
                                                              std::span<const OutputMemory> outputs) {
  HONE_TRY(std::shared_ptr<Runner> runner, runner_for(inputs));
  return runner->run_profiled(inputs, outputs);
}

Result<int64_t> Choosing::arena_bytes(std::span<const InputTensor> inputs) {
  HONE_TRY(std::shared_ptr<Runner> runner, runner_for(inputs));
  return runner->arena_bytes(inputs);
}

namespace {

constexpr size_t kRunnersKept = 16;

bool same(const import::ImportOptions& a, const import::ImportOptions& b) {
  auto equal = [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.shape == y.second.shape && x.second.bytes == y.second.bytes;
  };
  return a.sizes == b.sizes && a.not_one == b.not_one &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), equal);
}

}  // namespace

std::shared_ptr<Runner> LatestRunners::find(const import::ImportOptions& given) {
  auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return same(kept.given, given); });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().runner;
}

void LatestRunners::keep(import::ImportOptions given, std::shared_ptr<Runner> runner) {
  kept_.push_front({std::move(given), std::move(runner)});
  if (kept_.size() > kRunnersKept) kept_.pop_back();
}

}  // namespace hone::pipeline
