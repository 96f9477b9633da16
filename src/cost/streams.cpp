#include "cost/streams.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

// A line that is stored in parts goes to memory in parts, which takes longer than fetching it.
constexpr int64_t kLineBytes = 64;

// Every store of the buffer writes whole lines, and nothing reads it again.
bool is_written_in_lines(const ir::Kernel& kernel, const Use& use, const ir::KernelPlan& plan, int place) {
  const auto bytes = static_cast<int64_t>(ir::size_of(kernel.place_type(place)));
  auto groups = ir::groups_of(kernel);
  for (size_t g = 0; g < groups.size(); ++g) {
    const ir::GroupPlan& group = plan.groups[g];
    for (const auto* stmts : {&groups[g]->inner, &groups[g]->outer})
      for (const ir::Stmt& stmt : *stmts) {
        if (std::any_of(stmt.accesses.begin(), stmt.accesses.end(),
                        [&](const ir::Access& access) { return access.operand == place; }))
          return false;
        if (stmt.at.empty() || kernel.place_of(stmt.result) != place) continue;
        if (group.lanes * bytes != kLineBytes || !is_parallel(*groups[g], group.vector_axis) ||
            stride_of(kernel, use, place, stmt.at, group.vector_axis) != Stride::Contiguous)
          return false;
      }
  }
  return true;
}

}  // namespace

bool leaves_caches(const ir::Buffer& buffer, const Use& use, const target::Target& target) {
  return has_certain_size(buffer, use) && comes_from_memory(buffer, use, target);
}

void choose_streams(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  for (size_t b = 0; b < kernel.buffers.size(); ++b)
    if (const ir::Buffer& buffer = kernel.buffers[b]; buffer.output && leaves_caches(buffer, use, target) &&
                                                      is_written_in_lines(kernel, use, plan, static_cast<int>(b)))
      plan.streams.insert(buffer.name);
}

}  // namespace hone::cost
