#include "cost/rows.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

// Reductions of so many rows run beside each other: enough to cover what each waits for, few enough for the registers.
constexpr int64_t kMostRows = 4;

// What one point of the axis takes of the tiles along it.
int64_t bytes_of_row(const ir::Kernel& kernel, const Use& use, const std::string& axis) {
  int64_t bytes = 0;
  for (const ir::Tile& tile : kernel.tiles) {
    if (std::find(tile.axes.begin(), tile.axes.end(), axis) == tile.axes.end()) continue;
    int64_t held = static_cast<int64_t>(ir::size_of(tile.dtype));
    for (const std::string& other : tile.axes)
      if (other != axis) held *= std::max<int64_t>(1, extent_of(kernel, use, other));
    bytes += held;
  }
  return bytes;
}

// Half of the nearest cache holds their tiles.
int64_t rows_at_a_time(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                       const std::string& axis) {
  const int64_t bytes = std::max<int64_t>(1, bytes_of_row(kernel, use, axis)), extent = extent_of(kernel, use, axis);
  int64_t rows = kMostRows;
  while (rows > 1 && (rows > extent || rows * bytes > target.l1_bytes / 2)) rows /= 2;
  return rows;
}

void visit(const std::vector<ir::Node>& nodes, const ir::Kernel& kernel, const Use& use, const target::Target& target,
           ir::KernelPlan& plan) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    auto symbols = (*nest)->step.symbols();
    if (!(*nest)->grid && (*nest)->states.empty() && symbols.size() == 1 && !use.sizes.contains(symbols[0]))
      plan.parameters.emplace(symbols[0], rows_at_a_time(kernel, use, target, (*nest)->axis));
    visit((*nest)->body, kernel, use, target, plan);
  }
}

}  // namespace

void choose_rows(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan) {
  visit(kernel.body, kernel, use, target, plan);
}

}  // namespace hone::cost
