// Reads a hand-written µGraph: one `graph` followed by a `plan` for each of its kernels (.hone). Without any plan
// cost::complete makes them. `plan KERNEL for avx512 {` holds for that instruction set only, before one for all.
#pragma once

#include "ir/plan/plan.h"
#include "target/target.h"

namespace hone::pipeline {

struct GraphSource {
  ir::KernelGraph graph;
  ir::Plan plan;
};

// `sizes` fixes symbols of the graph. Constants without content get small whole numbers from a fixed seed, so that sums
// are exact.
Result<GraphSource> read_graph(std::string_view text, const std::map<std::string, int64_t>& sizes,
                               const target::Target& target);

}  // namespace hone::pipeline
