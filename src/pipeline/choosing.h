// What the runners that choose among others by the inputs of a call have in common.
#pragma once

#include <list>

#include "import/import.h"
#include "runtime/runner.h"

namespace hone::pipeline {

class Choosing : public runtime::Runner {
 public:
  Result<runtime::Shapes> output_shapes(std::span<const runtime::InputTensor> inputs) override;
  Result<std::vector<runtime::OutputTensor>> run(std::span<const runtime::InputTensor> inputs) override;
  Status run(std::span<const runtime::InputTensor> inputs, std::span<const runtime::OutputMemory> outputs) override;
  Result<std::vector<runtime::StepTime>> run_profiled(std::span<const runtime::InputTensor> inputs,
                                                      std::span<const runtime::OutputMemory> outputs) override;
  Result<int64_t> arena_bytes(std::span<const runtime::InputTensor> inputs) override;

 protected:
  virtual Result<std::shared_ptr<runtime::Runner>> runner_for(std::span<const runtime::InputTensor> inputs) = 0;
};

// The runners that were used last, by what import was given for them.
class LatestRunners {
 public:
  std::shared_ptr<runtime::Runner> find(const import::ImportOptions& given);  // null: not kept
  void keep(import::ImportOptions given, std::shared_ptr<runtime::Runner> runner);

 private:
  struct Kept {
    import::ImportOptions given;
    std::shared_ptr<runtime::Runner> runner;
  };
  std::list<Kept> kept_;  // latest used first
};

}  // namespace hone::pipeline
