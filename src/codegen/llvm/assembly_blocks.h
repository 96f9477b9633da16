// Basic blocks of one function of assembly text, and its innermost loops.
#pragma once

#include <string>
#include <vector>

namespace hone::codegen {

struct AssemblyBlock {
  std::string label;               // empty where only a jump ends the block before
  std::vector<std::string> lines;  // instructions
  std::vector<size_t> next;        // blocks that may follow
};

// Cuts a function's lines (labels end with a colon) into blocks.
std::vector<AssemblyBlock> blocks_of(const std::vector<std::string>& lines);

// Blocks of each loop that has no other loop inside, the loop's entry first, the others as they are laid out.
std::vector<std::vector<size_t>> innermost_cycles(const std::vector<AssemblyBlock>& blocks);

}  // namespace hone::codegen
