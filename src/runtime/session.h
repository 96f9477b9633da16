// Session: a compiled model, ready to run. Any number of threads may call it at once.
//
// A call computes with the session's number of threads. If the threads are busy with another call, the calling thread
// does all the work itself, cut in the same pieces: results do not depend on what else runs.
#pragma once

#include <memory>
#include <span>

#include "runtime/aligned_bytes.h"
#include "runtime/context.h"
#include "runtime/executable.h"
#include "runtime/plan/plan_cache.h"
#include "runtime/runner.h"
#include "runtime/threads/pool.h"

namespace hone::runtime {

// Machine code: one function per name in Executable::functions. `owner` keeps it in memory.
struct Code {
  std::vector<hone_kernel_fn> functions;
  std::shared_ptr<const void> owner;
};

// The weights segment, 64-byte aligned. `owner` keeps it in memory.
struct Weights {
  const std::byte* data = nullptr;
  size_t bytes = 0;
  std::shared_ptr<const void> owner;
};

// 0: HONE_NUM_THREADS, else the cores that this process may use.
Result<int> choose_threads(int wanted);

class Session : public Runner {
 public:
  // threads: as for choose_threads.
  static Result<std::shared_ptr<Session>> create(Executable executable, Code code, Weights weights, int threads = 0);

  const Executable& executable() const { return executable_; }
  const Executable& face() const override { return executable_; }
  int threads() const override { return threads_; }
  bool shapes_need_data(size_t) const override { return false; }

  Result<Shapes> output_shapes(std::span<const InputTensor> inputs) override;
  Result<std::vector<OutputTensor>> run(std::span<const InputTensor> inputs) override;
  // Takes no memory once a call with this shape has run before on as many threads.
  Status run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) override;
  Result<std::vector<StepTime>> run_profiled(std::span<const InputTensor> inputs,
                                             std::span<const OutputMemory> outputs) override;

  Result<int64_t> arena_bytes(std::span<const InputTensor> inputs) override;

  size_t plans_kept() const { return plans_.size(); }
  size_t contexts_made() const { return contexts_->made(); }

 private:
  Session(Executable executable, Code code, Weights weights, int threads);

  Status bind(std::span<const InputTensor> inputs, std::vector<int64_t>& symbols) const;
  Status check_shapes(std::span<const InputTensor> inputs, const Shapes& expected) const;
  Status plan_call(std::span<const InputTensor> inputs, Context& context);
  Status execute(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs, Context& context,
                 double* op_seconds);
  Status point(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs, Context& context) const;
  Result<std::vector<StepTime>> step_times(const ShapePlan& plan, const std::vector<double>& op_seconds) const;

  const Executable executable_;
  const Code code_;
  const Weights weights_;
  const int threads_;
  Schedule schedule_;
  std::shared_ptr<Pool> pool_;
  PlanCache plans_;
  std::unique_ptr<ContextList> contexts_;
};

}  // namespace hone::runtime
