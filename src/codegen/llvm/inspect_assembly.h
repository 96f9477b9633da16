// Reads generated assembly (AT&T syntax) the way a reviewer would: the innermost loops and what one turn costs.
#pragma once

#include <string>
#include <vector>

namespace hone::codegen {

struct AssemblyLoop {
  std::string function;  // the symbol it is in
  std::string label;
  int instructions = 0;
  int loads = 0;   // instructions that read memory
  int stores = 0;  // instructions that write memory
  int fmas = 0;
  int stack_accesses = 0;  // memory operands relative to the stack pointer, or to %rbp where it holds the frame
  std::vector<std::string> lines;
};

// Loops of the flow of control, wherever their blocks are laid out, that have no other loop inside; function by function.
std::vector<AssemblyLoop> innermost_loops(const std::string& assembly);

}  // namespace hone::codegen
