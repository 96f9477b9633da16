#include "cost/rows.h"

#include <algorithm>
#include <set>

#include "cost/stride.h"

namespace hone::cost {
namespace {

// Short rows are taken more at a time, because each pass over them has a start and an end that the next few rows hide.
constexpr int64_t kMostRows = 4 * kChains;

// Bytes of the buffers that lie along the axis, for one point of it.
int64_t buffer_bytes_of_point(const ir::Kernel& kernel, const Use& use, const std::string& axis) {
  std::set<int> along;
  for (const ir::Group* group : ir::groups_of(kernel))
    for (const auto* stmts : {&group->inner, &group->outer})
      for (const ir::Stmt& stmt : *stmts) {
        auto add = [&](int place, const std::vector<ir::Index>& index) {
          if (place < static_cast<int>(kernel.buffers.size()) &&
              std::any_of(index.begin(), index.end(), [&](const ir::Index& i) { return i.uses_axis(axis); }))
            along.insert(place);
        };
        for (const ir::Access& access : stmt.accesses) add(access.operand, access.index);
        if (!stmt.at.empty()) add(kernel.place_of(stmt.result), stmt.at);
      }
  int64_t bytes = 0;
  for (int place : along) bytes += bytes_of(kernel.buffers[static_cast<size_t>(place)], use);
  return bytes / std::max<int64_t>(1, extent_of(kernel, use, axis));
}

// The nearest cache holds what they read, keep and write; where that is little, half of it their tiles.
int64_t rows_at_a_time(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                       const std::string& axis) {
  const int64_t tiles = tile_bytes_of_point(kernel, use, axis), extent = extent_of(kernel, use, axis);
  const int64_t all = tiles + buffer_bytes_of_point(kernel, use, axis);
  int64_t rows = kMostRows;
  while (rows > kChains && (rows > extent || rows * all > target.l1_bytes)) rows /= 2;
  while (rows > 1 && (rows > extent || rows * tiles > target.l1_bytes / 2)) rows /= 2;
  return rows;
}

// Loops that carry nothing, nor stand in one that does, and whose step is open: the step's name → axis.
void find_loops(const std::vector<ir::Node>& nodes, const Use& use, std::map<std::string, std::string>& found) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    auto symbols = (*nest)->step.symbols();
    if (!(*nest)->states.empty()) continue;
    if (!(*nest)->grid && symbols.size() == 1 && !use.sizes.contains(symbols[0]))
      found.emplace(symbols[0], (*nest)->axis);
    find_loops((*nest)->body, use, found);
  }
}

}  // namespace

std::map<std::string, int64_t> choose_rows(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                           const ir::KernelPlan& plan) {
  std::map<std::string, std::string> loops;
  find_loops(kernel.body, use, loops);
  std::map<std::string, int64_t> rows;
  for (const auto& [step, axis] : loops) {
    auto given = plan.parameters.find(step);
    rows[step] = given == plan.parameters.end() ? rows_at_a_time(kernel, use, target, axis) : given->second;
  }
  return rows;
}

}  // namespace hone::cost
