// Puts the pieces together: kernel graph, plan and lowered kernels become an executable and its weights. Constants are
// packed here into what the plans of their readers ask for, each (constant, layout) once.
#pragma once

#include "lower/lower.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

struct Assembled {
  runtime::Executable executable;
  std::shared_ptr<const runtime::AlignedBytes> weights;
};

// Element counts that a Reshape of the program needs to be equal and that are not equal by their form: import leaves sizes
// that it cannot show equal to be checked when they are known. Those inside bodies of If are not among them.
struct EqualSizes {
  ir::Index left, right;
  std::string node;
};
std::vector<EqualSizes> sizes_to_check(const ir::Program& program);
std::vector<runtime::SizeCheck> size_checks(const std::vector<EqualSizes>& sizes,
                                            const std::vector<std::string>& symbols);

Result<Assembled> assemble(const ir::KernelGraph& graph, const ir::Plan& plan,
                           const std::vector<lower::Lowered>& kernels);

}  // namespace hone::pipeline
