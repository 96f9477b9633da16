// A model together with its inputs and memory for its outputs: what is called again and again.
#pragma once

#include <memory>

#include "eval/tensor.h"
#include "runtime/runner.h"

namespace hone::tools {

class Call {
 public:
  static Result<Call> make(std::shared_ptr<runtime::Runner> runner, const std::vector<eval::Tensor>& inputs);

  Status run() { return runner_->run(inputs_, outputs_); }
  Result<std::vector<runtime::StepTime>> profile() { return runner_->run_profiled(inputs_, outputs_); }
  Result<int64_t> arena_bytes() { return runner_->arena_bytes(inputs_); }
  // What the latest run computed, in the model's order.
  std::vector<eval::Tensor> outputs() const;

 private:
  explicit Call(std::shared_ptr<runtime::Runner> runner) : runner_(std::move(runner)) {}
  Status take_inputs(const std::vector<eval::Tensor>& inputs);
  Status make_outputs();

  std::shared_ptr<runtime::Runner> runner_;
  std::vector<runtime::AlignedBytes> memory_;
  runtime::Shapes input_shapes_, output_shapes_;
  std::vector<runtime::InputTensor> inputs_;
  std::vector<runtime::OutputMemory> outputs_;
};

}  // namespace hone::tools
