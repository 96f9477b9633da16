// A Program cut where sizes depend on data. Each stage is a Program without Trim, whose sizes are all told by the shapes
// of its inputs; between stages a Trim shortens a tensor to what a number, by then computed, says.
#pragma once

#include <vector>

#include "ir/program/program.h"

namespace hone::pipeline {

struct Stage {
  ir::Program program;
  std::vector<ir::ValueId> inputs, outputs;  // values of the whole Program that its inputs and outputs stand for
  std::vector<ir::Op> trims;                 // done after it; ids are those of the whole Program
};

bool depends_on_data(const ir::Program& program);  // has a Trim

// In the order of execution. A stage computes all that it can; only what needs a later size comes later.
std::vector<Stage> stages_of(const ir::Program& program);

}  // namespace hone::pipeline
