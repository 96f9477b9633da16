// One of the example graphs, compiled and ready to be timed.
#pragma once

#include <map>

#include "runtime/session.h"

namespace hone::step0 {

struct Example {
  std::shared_ptr<runtime::Session> session;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<runtime::OutputTensor> outputs;
  double llvm_seconds = 0;
  int stack_accesses = 0;  // in innermost loops with multiply-adds

  std::vector<runtime::InputTensor> feeds() const;
  double run_seconds();
};

// Reads FOLDER/NAME.hone with these sizes and fills its inputs from a fixed seed.
Result<Example> prepare(const std::string& folder, const std::string& name, const std::map<std::string, int64_t>& sizes,
                        int threads);

}  // namespace hone::step0
