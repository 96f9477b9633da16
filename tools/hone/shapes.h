// From the shapes that a user gives for some inputs to the shapes of all of them.
#pragma once

#include "hone/inputs.h"

namespace hone::tools {

struct SolvedShapes {
  std::vector<std::vector<int64_t>> shapes;  // in the model's order
  std::vector<int64_t> symbols;              // in the order of executable.symbols
  std::vector<std::string> assumed;          // symbols that no given shape told; taken as 1
};

std::string assumption_text(const SolvedShapes& solved);  // for the user, if anything was assumed

// A symbol gets its value from a dimension that is the symbol, or a multiple of it. Whether the shapes agree is for the
// session to say.
Result<SolvedShapes> solve_shapes(const runtime::Executable& executable, const ShapeMap& given);

}  // namespace hone::tools
