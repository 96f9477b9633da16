#include "cost/rows.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

// Half of the nearest cache holds their tiles.
int64_t rows_at_a_time(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                       const std::string& axis) {
  const int64_t bytes = tile_bytes_of_point(kernel, use, axis), extent = extent_of(kernel, use, axis);
  int64_t rows = kChains;
  while (rows > 1 && (rows > extent || rows * bytes > target.l1_bytes / 2)) rows /= 2;
  return rows;
}

// Loops that carry nothing and whose step is open: the step's name → axis.
void find_loops(const std::vector<ir::Node>& nodes, const Use& use, std::map<std::string, std::string>& found) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    auto symbols = (*nest)->step.symbols();
    if (!(*nest)->grid && (*nest)->states.empty() && symbols.size() == 1 && !use.sizes.contains(symbols[0]))
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
