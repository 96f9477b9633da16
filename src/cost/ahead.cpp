#include "cost/ahead.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

using ir::Group;
using ir::Nest;

class Ahead {
 public:
  Ahead(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan), groups_(ir::groups_of(kernel)) {}

  void visit(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      const auto* nest = std::get_if<std::shared_ptr<const Nest>>(&node);
      if (!nest) continue;
      if (!(*nest)->grid && (*nest)->states.empty()) rows_of(**nest);
      visit((*nest)->body);
    }
  }

 private:
  // The second group that reads a buffer finds it near, and so has time to ask for the rows of the next pass.
  void rows_of(const Nest& nest) {
    const auto rows = nest.step.constant();
    if (!rows) return;
    std::map<int, int> readers;  // place → groups so far
    for (const ir::Node& node : nest.body) {
      const auto* group = std::get_if<Group>(&node);
      if (!group) continue;
      std::map<int, const ir::Access*> read;
      for (const ir::Stmt& stmt : group->inner)
        for (const ir::Access& access : stmt.accesses) read.emplace(access.operand, &access);
      for (const auto& [place, access] : read)
        if (++readers[place] == 2) fetch(*group, *access, nest.axis, *rows);
    }
  }

  void fetch(const Group& group, const ir::Access& access, const std::string& axis, int64_t rows) {
    if (access.operand >= static_cast<int>(kernel_.buffers.size())) return;
    const ir::Buffer& buffer = kernel_.buffers[static_cast<size_t>(access.operand)];
    ir::GroupPlan& plan =
        plan_.groups[static_cast<size_t>(std::find(groups_.begin(), groups_.end(), &group) - groups_.begin())];
    if (plan.lanes == 1 || use_.weights.contains(buffer.name) || bytes_of(buffer, use_) <= target_.l1_bytes ||
        stride_of(kernel_, use_, access.operand, access.index, plan.vector_axis) != Stride::Contiguous)
      return;
    const int64_t elements = rows * step_of(use_, buffer, access.index, axis).value_or(0);
    const int64_t bytes = elements * static_cast<int64_t>(ir::size_of(buffer.dtype));
    // What is read now and what is read next both stay near.
    if (bytes > 0 && 4 * bytes <= target_.l2_bytes) plan.ahead[buffer.name] = elements;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  ir::KernelPlan& plan_;
  std::vector<const Group*> groups_;
};

}  // namespace

void choose_ahead(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  Ahead(kernel, use, target, plan).visit(kernel.body);
}

}  // namespace hone::cost
