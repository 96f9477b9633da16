// lower: (Kernel, KernelPlan) → Loop IR. In: a valid kernel and a complete, valid plan. Out: one function in which every
// loop, vector and mask is explicit. It reads the plan and decides nothing; sits after cost::complete, before codegen, which
// validates what it is given.
#pragma once

#include "ir/loop/loop.h"
#include "ir/plan/plan.h"

namespace hone::lower {

struct Lowered {
  ir::loop::Function function;
  std::vector<std::string> symbols;  // the order of the size arguments
  ir::Index tasks;                   // length of the flattened grid, over the symbols
  ir::Index scratch_bytes;           // what one worker needs, over the symbols
};

Result<Lowered> lower(const ir::Kernel& kernel, const ir::KernelPlan& plan);

}  // namespace hone::lower
