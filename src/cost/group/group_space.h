// A group and what is known where it is planned.
#pragma once

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {

struct Space {
  const ir::Kernel& kernel;
  const ir::Group& group;
  const Use& use;
  const target::Target& target;

  std::vector<std::string> names(const std::vector<ir::GroupAxis>& axes) const {
    std::vector<std::string> result;
    for (const ir::GroupAxis& axis : axes) result.push_back(axis.axis);
    return result;
  }

  Stride stride(const ir::Access& access, const std::string& axis) const {
    return stride_of(kernel, use, access.operand, access.index, axis);
  }

  // Points of the axis that the group sees at once: a range of its own, else at most a pass of its loop or the extent. Of an axis
  // that is opened point by point it sees one.
  int64_t points(const ir::GroupAxis& axis) const {
    if (axis.range)
      if (auto number = (axis.range->second - axis.range->first).constant()) return std::max<int64_t>(*number, 1);
    if (is_single(kernel.body, axis.axis)) return 1;
    int64_t extent = extent_of(kernel, use, axis.axis);
    if (auto step = loop_step(kernel.body, axis.axis)) extent = std::min(extent, *step);
    return has_passes(kernel.body, axis.axis) ? std::min(extent, kPassPoints) : extent;
  }

  // Points of the reduction.
  double depth() const {
    double points_of_all = 1;
    for (const ir::GroupAxis& axis : group.over) points_of_all *= static_cast<double>(points(axis));
    return points_of_all;
  }

  static bool is_single(const std::vector<ir::Node>& nodes, const std::string& axis) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const ir::Node& node) {
      const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
      return nest && (((*nest)->axis == axis && (*nest)->step.is(1)) || is_single((*nest)->body, axis));
    });
  }

  // The number of points that a loop along the axis takes at a time, where it is known.
  static std::optional<int64_t> loop_step(const std::vector<ir::Node>& nodes, const std::string& axis) {
    for (const ir::Node& node : nodes) {
      const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
      if (!nest) continue;
      if (!(*nest)->grid && (*nest)->axis == axis) return (*nest)->step.constant();
      if (auto inside = loop_step((*nest)->body, axis)) return inside;
    }
    return std::nullopt;
  }

  // A loop whose step is open cuts the axis.
  static bool has_passes(const std::vector<ir::Node>& nodes, const std::string& axis) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const ir::Node& node) {
      const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
      if (!nest) return false;
      bool cuts = !(*nest)->grid && (*nest)->axis == axis && !(*nest)->step.constant();
      return cuts || has_passes((*nest)->body, axis);
    });
  }

  int lanes() const {
    size_t widest = 4;
    for (const auto* stmts : {&group.inner, &group.outer})
      for (const ir::Stmt& stmt : *stmts)
        if (ir::is_float(stmt.body->type)) widest = std::max(widest, ir::size_of(stmt.body->type));
    return target.vector_bits / 8 / static_cast<int>(widest);
  }

  // The target's figures for vectors of so many lanes: units that take the widest in several turns take narrower ones in fewer, and
  // start no more than two in a cycle.
  target::Figures figures(int vector_lanes) const {
    constexpr double kStarts = 2;
    target::Figures result = target.figures;
    for (double* rate : {&result.multiply_adds_per_cycle, &result.loads_per_cycle})
      *rate = std::max(*rate, std::min(kStarts, *rate * lanes() / vector_lanes));
    return result;
  }
};

}  // namespace hone::cost
