// Puts the pieces together: kernel graph, plan and lowered kernels become an executable and its weights. Constants are
// packed here into what the plans of their readers ask for, each (constant, layout) once.
#pragma once

#include "lower/lower.h"
#include "pipeline/compile.h"
#include "pipeline/index_formula.h"

namespace hone::pipeline {

struct Assembled {
  runtime::Executable executable;
  std::shared_ptr<const runtime::AlignedBytes> weights;
};

// Element counts that a Reshape of the program needs to be equal and that are not equal by their form: import leaves sizes
// that it cannot show equal to be checked when they are known. Those of a branch need to hold only if it is taken.
struct EqualSizes {
  ir::Index left, right;
  std::string node;
  struct Branch {
    std::string node;  // the innermost If
    size_t body = 0;
  };
  std::optional<Branch> branch = std::nullopt;
};
std::vector<EqualSizes> sizes_to_check(const ir::Program& program);

// Adds the checks: those of a branch as the first steps of its body, the others as checks of every run. A branch that is
// no step of its own any more, or not the only one of its name, has its sizes checked in every run.
void add_size_checks(const std::vector<EqualSizes>& sizes, const SizeFormulas& formulas,
                     runtime::Executable& executable);

// `sizes` are those that every run must check.
Result<Assembled> assemble(const ir::KernelGraph& graph, const ir::Plan& plan,
                           const std::vector<lower::Lowered>& kernels, const std::vector<EqualSizes>& sizes);

}  // namespace hone::pipeline
