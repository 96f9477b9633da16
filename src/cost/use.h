// What cost knows of the call that a kernel is planned for.
#pragma once

#include <set>

#include "ir/plan/plan.h"
#include "target/target.h"

namespace hone::cost {

// What is known of one use of a kernel.
struct Use {
  std::map<std::string, int64_t> sizes;  // every symbol of the kernel; an estimate where the model leaves it open
  std::set<std::string> certain;         // symbols whose size is known for good, so that the plan may pin them
  std::set<std::string> weights;         // buffers that are constants: they may be packed
  std::map<std::string, layout::Layout> layouts;  // of the other buffers; absent: row-major
};

// Equal for uses of kernels of that name that are planned alike.
std::string key_of(const ir::Kernel& kernel, const Use& use);

Use use_of(const ir::KernelGraph& graph, const ir::Call& call, const std::map<int, layout::Layout>& edge_layouts);

}  // namespace hone::cost
