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

Result<Assembled> assemble(const ir::KernelGraph& graph, const ir::Plan& plan,
                           const std::vector<lower::Lowered>& kernels);

}  // namespace hone::pipeline
