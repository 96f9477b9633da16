// What every test of a pass asks: which ops are left, and that the Program still computes the same.
#pragma once

#include <string>

#include "canon/canon.h"

namespace hone::canon {

// Parses, runs the pass and drops what is dead. Checks that the result is valid, gives the same numbers on random
// inputs (symbols are 3, 5, 7, … in the order of their names), has the same output names, and that running the pass once
// more changes nothing.
ir::Program check_pass(const std::string& source, ir::Program (*pass)(ir::Program));

// "add relu …": the ops in order.
std::string kinds(const ir::Program& program);
// The same after check_pass.
std::string kinds_after(const std::string& source, ir::Program (*pass)(ir::Program));

}  // namespace hone::canon
