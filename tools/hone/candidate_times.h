// A kernel compiled under several plans at once, each timed: what the cost model's order of them is held against.
#pragma once

#include "cost/complete.h"
#include "pipeline/compile.h"

namespace hone::tools {

// One call of a planned graph.
struct KernelUse {
  const ir::KernelGraph& graph;
  const ir::Plan& plan;
  const ir::Call& call;
  const ir::Kernel& kernel;  // before its reduction was taken in passes
  cost::Use use;

  int64_t weight_bytes() const;  // before they are packed, by each plan in its own way
  // Equal for calls that compute the same on operands of the same sizes and layouts.
  std::string key() const;
};

KernelUse use_of_call(const pipeline::PlannedModel& model, const ir::Call& call);

struct CandidateTime {
  double seconds = 0;    // the least of all rounds
  bool differs = false;  // computes something else than the first
};

struct TimingBudget {
  double seconds = 0.3;  // of all rounds together
  size_t fewest = 5, most = 300;
};

// All candidates read the same inputs, and run in turns, each twice in a round, of which the second is timed. Weights
// are the model's, inputs are drawn.
Result<std::vector<CandidateTime>> time_candidates(const KernelUse& use, const std::vector<cost::Candidate>& candidates,
                                                   const target::Target& target, int threads,
                                                   const TimingBudget& budget);

}  // namespace hone::tools
