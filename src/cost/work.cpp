#include "cost/work.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

using ir::Index;

bool runs_over(const ir::Group& group, const std::string& axis) {
  return is_parallel(group, axis) ||
         std::any_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& own) { return own.axis == axis; });
}

void visit(const ir::Kernel& kernel, const std::vector<ir::Node>& nodes, std::vector<std::string>& opened,
           std::vector<Index>& runs) {
  for (const ir::Node& node : nodes) {
    if (const auto* group = std::get_if<ir::Group>(&node)) {
      Index times = 1;
      for (const std::string& axis : opened)
        if (!runs_over(*group, axis)) times = times * kernel.extent(axis);
      runs.push_back(times);
      continue;
    }
    const ir::Nest& nest = *std::get<std::shared_ptr<const ir::Nest>>(node);
    const bool by_one = nest.step.is(1);
    if (by_one) opened.push_back(nest.axis);
    visit(kernel, nest.body, opened, runs);
    if (by_one) opened.pop_back();
  }
}

int64_t tasks_in(const std::vector<ir::Node>& nodes, const ir::Kernel& kernel, const Use& use,
                 const std::map<std::string, int64_t>& parameters) {
  int64_t tasks = 1;
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest || !(*nest)->grid) continue;
    const int64_t step = (*nest)->step.evaluate([&](const std::string& name) {
      auto found = parameters.find(name);
      return found == parameters.end() ? use.sizes.at(name) : found->second;
    });
    const int64_t points = std::max<int64_t>(1, extent_of(kernel, use, (*nest)->axis));
    tasks *= (points + std::max<int64_t>(1, step) - 1) / std::max<int64_t>(1, step);
    tasks *= tasks_in((*nest)->body, kernel, use, parameters);
  }
  return tasks;
}

int64_t operations_in(const ir::Scalar& scalar) {
  int64_t count = scalar->kind == ir::ScalarNode::Kind::Operation ? 1 : 0;
  for (const ir::Scalar& arg : scalar->args) count += operations_in(arg);
  return count;
}

Index points_of(const ir::Kernel& kernel, const std::vector<ir::GroupAxis>& axes) {
  Index points = 1;
  for (const ir::GroupAxis& axis : axes) points = points * kernel.extent(axis.axis);
  return points;
}

}  // namespace

std::vector<Index> runs_of_groups(const ir::Kernel& kernel) {
  std::vector<Index> runs;
  std::vector<std::string> opened;
  visit(kernel, kernel.body, opened, runs);
  return runs;
}

int64_t tasks_of(const ir::Kernel& kernel, const Use& use, const std::map<std::string, int64_t>& parameters) {
  return tasks_in(kernel.body, kernel, use, parameters);
}

Index flops_of(const ir::Kernel& kernel) {
  Index total = 0;
  const std::vector<Index> runs = runs_of_groups(kernel);
  const auto groups = ir::groups_of(kernel);
  for (size_t g = 0; g < groups.size(); ++g) {
    int64_t inner = 0, outer = 0;
    for (const ir::Stmt& stmt : groups[g]->inner)
      inner += operations_in(stmt.body) + (stmt.combine != ir::Combine::None);
    for (const ir::Stmt& stmt : groups[g]->outer) outer += operations_in(stmt.body);
    total =
        total + runs[g] * points_of(kernel, groups[g]->parallel) * (points_of(kernel, groups[g]->over) * inner + outer);
  }
  return total;
}

Index bytes_of(const ir::Kernel& kernel) {
  Index total = 0;
  for (const ir::Buffer& buffer : kernel.buffers)
    total = total + ir::product(buffer.shape) * static_cast<int64_t>(ir::size_of(buffer.dtype));
  return total;
}

}  // namespace hone::cost
