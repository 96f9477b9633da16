#include "cost/passes/column_passes.h"

#include <algorithm>

#include "cost/group/group_space.h"
#include "cost/group/templates.h"
#include "cost/passes/passes.h"

namespace hone::cost {
namespace {

using ir::Access;
using ir::Group;
using ir::Index;
using ir::Stmt;

// A window meets the same elements again and again, and borders.
bool has_window(const Group& group) {
  for (const Stmt& stmt : group.inner)
    for (const Access& access : stmt.accesses)
      if (access.border.rule != ir::Border::Rule::None ||
          std::any_of(access.index.begin(), access.index.end(),
                      [&](const Index& index) { return slides(index, group); }))
        return true;
  return false;
}

// Reads an operand from afar, in rows along a parallel axis, each element once.
bool reads_rows_from_afar(const ir::Kernel& kernel, const Group& group, const Use& use, const target::Target& target) {
  for (const Stmt& stmt : group.inner)
    for (const Access& access : stmt.accesses) {
      if (access.operand >= static_cast<int>(kernel.buffers.size())) continue;
      const ir::Buffer& buffer = kernel.buffers[static_cast<size_t>(access.operand)];
      const int64_t row = step_of(use, buffer, access.index, group.over.back().axis).value_or(0) *
                          static_cast<int64_t>(ir::size_of(buffer.dtype));
      const bool from_memory = comes_from_memory(buffer, use, target);
      const bool from_afar = from_memory || bytes_of(buffer, use) > target.l1_bytes;
      auto along = [&](const ir::GroupAxis& axis) {
        const int64_t strip = vectors_of_a_strip(kernel, use, target, axis.axis) * target.vector_bits / 8;
        return (from_memory || row > strip) &&
               stride_of(kernel, use, access.operand, access.index, axis.axis) == Stride::Contiguous;
      };
      auto moves = [&](const ir::GroupAxis& axis) {
        return stride_of(kernel, use, access.operand, access.index, axis.axis) != Stride::Invariant;
      };
      if (from_afar && std::any_of(group.parallel.begin(), group.parallel.end(), along) &&
          std::all_of(group.over.begin(), group.over.end(), moves))
        return true;
    }
  return false;
}

}  // namespace

std::optional<ir::Kernel> in_column_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target) {
  const Group* only = last_group(kernel);
  if (!only || ir::groups_of(kernel).size() > 1 || only->over.empty() || is_contraction(*only) ||
      !can_be_continued(*only) || has_window(*only) || !reads_rows_from_afar(kernel, *only, use, target))
    return std::nullopt;
  // All but the innermost reduced axis are taken one by one, so that a pass reads rows that follow each other.
  std::vector<Pass> passes;
  for (const ir::GroupAxis& axis : only->over) passes.push_back({axis.axis, 1});
  passes.back().step = Index::symbol(fmt::format("T_{}_pass", passes.back().axis));
  return in_passes(kernel, *only, passes);
}

}  // namespace hone::cost
