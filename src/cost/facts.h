// What the meaning of a kernel, its plan and its sizes say about its speed, whatever time it takes. Profiles make sentences of it
// (tools/hone/sentences.h); nothing is decided by it.
#pragma once

#include "cost/reasons.h"
#include "cost/use.h"

namespace hone::cost {

struct Facts {
  bool contraction = false;  // most work is multiply-adds of a reduction
  // Of the group with most work:
  int lanes = 1;                               // 1: scalar code
  int64_t vector_points = 1, vector_room = 1;  // along the vector axis, and the lanes that hold them
  int64_t chains = 0;                          // sums in registers that do not wait for each other; 0: no reduction
  int64_t loads = 0;                           // of a point
  int64_t strided_loads = 0,
          turned_loads = 0;   // of those: gathered lane by lane; loaded across and turned in registers
  double loads_of_a_sum = 0;  // vectors loaded for each step of a sum, those that a register tile shares once
  double points = 0;          // with those of the reduction
  // Of all groups:
  std::map<std::string, double> functions;  // exp, tanh, …, and exp2 for a power of two: how often
  int64_t recurrent_steps = 0;              // of a loop whose rounds need the one before; 0: there is none
  int64_t tasks = 1;
  // What the model expects of the slowest core, where it compares plans; its callers ask cost::price for it.
  std::optional<Considered> expected;
};

// `plan` is complete; sizes that the model leaves open are those of `use`.
Facts facts_of(const ir::Kernel& kernel, const ir::KernelPlan& plan, const Use& use);

}  // namespace hone::cost
