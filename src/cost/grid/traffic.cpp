#include "cost/grid/traffic.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cost/stride.h"
#include "ir/plan/address.h"

namespace hone::cost {
namespace {

using ir::Index;

constexpr int64_t kLineBytes = 64;
// Lines that a loop jumps between are not fetched ahead.
constexpr double kJumps = 4;
// What the start of a run takes, in bytes of a long one: its first lines are not fetched ahead either.
constexpr double kRunStart = 48;
// A part of the nearest cache is taken by what the model does not see; the last level is shared with strangers.
constexpr double kUsableL1 = 0.8, kUsableL3 = 0.5;

// Levels of cache, the nearest first.
constexpr size_t kLevels = 3;

// What moves into caches of so many bytes: everything inside the outermost loop that fits stays there; a tensor that stands still in the
// loops around it stays as well.
class Moves {
 public:
  Moves(const std::vector<Touched>& touched, const std::vector<NestLoop>& loops, size_t grid, size_t parallel,
        const std::vector<int64_t>& extents, double pass)
      : touched_(touched),
        loops_(loops),
        pass_(pass),
        spans_(extents),
        bytes_(touched.size()),
        wait_factors_(touched.size()) {
    std::vector<int64_t> task = extents;
    for (size_t k = 0; k < grid; ++k) task[loops[k].axis] = loops[k].step;
    for (size_t t = 0; t < touched.size(); ++t) {
      bytes_[t] = touched[t].bytes(spans_);
      held_.push_back(touched[t].is_tile() ? touched[t].bytes(task) : bytes_[t]);
      wait_factors_[t] = touched[t].wait_factor(loops);
      passes_.push_back(depths_of_passes(touched[t], grid, parallel));
    }
  }

  // `moved(level, tensor, bytes of all of it, of a tile of all that a task has, bytes that move)` hears of every tensor at
  // every level.
  template <typename Moved>
  void run(const std::array<double, kLevels>& capacities, const Moved& moved) {
    std::array<bool, kLevels> settled = {};
    for (size_t depth = 0;; ++depth) {
      const double inside = std::accumulate(bytes_.begin(), bytes_.end(), 0.0);
      double in_second_level = 0;
      for (size_t t = 0; t < touched_.size(); ++t) in_second_level += is_in_passes(t, depth) ? pass_ : bytes_[t];
      for (size_t level = 0; level < kLevels; ++level) {
        if (settled[level] || ((level == 1 ? in_second_level : inside) > capacities[level] && depth < loops_.size()))
          continue;
        settled[level] = true;
        for (size_t t = 0; t < touched_.size(); ++t)
          moved(level, t, held_[t],
                level == 1 && is_in_passes(t, depth) ? in_passes(t, depth) : through_loops(t, depth));
      }
      if (std::all_of(settled.begin(), settled.end(), [](bool one) { return one; })) return;
      enter(loops_[depth]);
    }
  }

 private:
  void enter(const NestLoop& loop) {
    spans_[loop.axis] = loop.step;
    for (size_t t = 0; t < touched_.size(); ++t)
      if (touched_[t].moves_with(loop.axis)) bytes_[t] = touched_[t].bytes(spans_);
  }

  // From these depths, the first and the last, all loops that read a strip of the weights again are inside those over its strips: there
  // the reduction can be taken in passes. None where nothing is read again.
  std::pair<size_t, size_t> depths_of_passes(const Touched& tensor, size_t grid, size_t parallel) const {
    constexpr std::pair<size_t, size_t> kNone = {1, 0};
    if (!tensor.is_weight()) return kNone;
    std::pair<size_t, size_t> depths = kNone;
    size_t from = grid;
    for (size_t k = grid; k < parallel; ++k) {
      if (loops_[k].count <= 1) continue;
      const bool again = !tensor.moves_with(loops_[k].axis);
      if (again && depths == kNone) depths = {from, k};
      if (!again && depths != kNone) depths = kNone;
      if (!again) from = k + 1;
    }
    return depths;
  }

  // Only a part of the strip at hand is there.
  bool is_in_passes(size_t tensor, size_t depth) const {
    const auto [first, last] = passes_[tensor];
    return first <= depth && depth <= last && bytes_[tensor] > pass_;
  }

  double in_passes(size_t tensor, size_t depth) const {
    double bytes = bytes_[tensor];
    for (size_t k = 0; k < depth; ++k) bytes *= loops_[k].count;
    return bytes;
  }

  double through_loops(size_t tensor, size_t depth) const {
    double bytes = bytes_[tensor];
    while (depth > 0 && !touched_[tensor].moves_with(loops_[depth - 1].axis)) --depth;
    for (size_t k = 0; k < depth; ++k) bytes *= loops_[k].count;
    return bytes * wait_factors_[tensor];
  }

  const std::vector<Touched>& touched_;
  const std::vector<NestLoop>& loops_;
  const double pass_;           // bytes of weights that are there at once, if they are taken in passes
  std::vector<int64_t> spans_;  // inside the loops so far
  std::vector<std::pair<size_t, size_t>> passes_;    // by tensor: depths
  std::vector<double> bytes_, held_, wait_factors_;  // by tensor: inside the loops so far, at once
};

}  // namespace

double usable_l2(const target::Target& target) {
  constexpr double kUsable = 0.75;  // the rest is taken by what the model does not see
  return kUsable * static_cast<double>(target.l2_bytes);
}

Touched::Touched(const ir::Kernel& kernel, const Use& use, int place, const std::vector<Index>& index,
                 const std::string& innermost_axis)
    : moves_(kernel.axes.size()) {
  element_bytes_ = static_cast<double>(ir::size_of(kernel.place_type(place)));
  auto size_of = [&](const Index& size) {
    return size.evaluate([&](const std::string& name) { return use.sizes.at(name); });
  };
  const bool buffer = place < static_cast<int>(kernel.buffers.size());
  tile_ = !buffer;
  int innermost = static_cast<int>(index.size()) - 1;
  if (buffer) {
    auto layout = use.layouts.find(kernel.buffers[static_cast<size_t>(place)].name);
    if (layout != use.layouts.end()) innermost = layout->second.parts.back().dim;
    weight_ = use.weights.contains(kernel.buffers[static_cast<size_t>(place)].name);
    if (weight_) innermost = -1;  // packed as it is read
  }
  for (size_t d = 0; d < index.size(); ++d) {
    Dimension dimension;
    dimension.contiguous = static_cast<int>(d) == innermost;
    for (size_t a = 0; a < kernel.axes.size(); ++a) {
      if (!index[d].uses_axis(kernel.axes[a].name)) continue;
      auto linear = index[d].linear_in(kernel.axes[a].name);
      auto factor = linear ? linear->first.constant() : std::nullopt;
      dimension.terms.push_back({a, std::abs(factor.value_or(1))});
      moves_[a] = true;
    }
    // Of two merged axes the inner one runs over both dimensions, so a plain dimension is as long as its axis.
    if (dimension.terms.size() == 1 || !buffer) {
      for (const Term& term : dimension.terms) dimension.extent *= extent_of(kernel, use, kernel.axes[term.axis].name);
    } else {
      dimension.extent = size_of(kernel.buffers[static_cast<size_t>(place)].shape[d]);
    }
    if (index[d].uses_axis(innermost_axis) && !dimension.contiguous && innermost >= 0) jumps_ = true;
    dimensions_.push_back(std::move(dimension));
  }
}

double Touched::bytes(const std::vector<int64_t>& spans) const {
  double result = element_bytes_;
  for (const Dimension& dimension : dimensions_) {
    int64_t span = 1;
    for (const Term& term : dimension.terms) span += term.factor * (spans[term.axis] - 1);
    span = std::min(span, std::max<int64_t>(1, dimension.extent));
    if (dimension.contiguous && span < dimension.extent) {
      int64_t line = kLineBytes / static_cast<int64_t>(element_bytes_);
      span = std::min(dimension.extent, (span + line - 1) / line * line);
    }
    result *= static_cast<double>(span);
  }
  return result;
}

// From the innermost loop on: loops along the contiguous dimension lengthen the run, until one moves another dimension while the
// run is not a whole row.
double Touched::run_bytes(const std::vector<NestLoop>& loops) const {
  auto along = std::find_if(dimensions_.begin(), dimensions_.end(), [](const Dimension& d) { return d.contiguous; });
  if (along == dimensions_.end()) return 0;
  auto moves = [](const Dimension& dimension, size_t axis) {
    return std::any_of(dimension.terms.begin(), dimension.terms.end(), [&](const Term& t) { return t.axis == axis; });
  };
  int64_t span = 1;
  for (const Term& term : along->terms)
    for (const NestLoop& loop : loops)
      if (loop.axis == term.axis) span = term.factor * loop.step;  // the last is the innermost
  for (auto loop = loops.rbegin(); loop != loops.rend() && span < along->extent; ++loop) {
    if (moves(*along, loop->axis))
      span = static_cast<int64_t>(static_cast<double>(span) * loop->count);
    else if (moves_with(loop->axis) && loop->count > 1)
      return element_bytes_ * static_cast<double>(span);
  }
  return 0;
}

double Touched::wait_factor(const std::vector<NestLoop>& loops) const {
  if (jumps_) return kJumps;
  const double run = run_bytes(loops);
  return run > 0 ? 1 + kRunStart / run : 1;
}

Traffic traffic_of(const std::vector<Touched>& touched, const std::vector<NestLoop>& loops, size_t grid,
                   size_t parallel, const std::vector<int64_t>& extents, double pass, const target::Target& target) {
  const double l1 = kUsableL1 * static_cast<double>(target.l1_bytes);
  const double l2 = usable_l2(target);
  const double l3 = kUsableL3 * static_cast<double>(target.l3_bytes);
  const std::array<double, kLevels> capacities = {l1, l2, l3};
  double tasks = 1;
  for (size_t k = 0; k < grid; ++k) tasks *= loops[k].count;
  Traffic traffic;
  Moves(touched, loops, grid, parallel, extents, pass)
      .run(capacities, [&](size_t level, size_t t, double whole, double moved) {
        if (touched[t].is_tile()) moved = whole <= capacities[level] ? 0 : moved + whole * tasks;
        (level == 0 ? traffic.into_l1 : level == 1 ? traffic.into_l2 : traffic.into_l3) += moved;
        if (touched[t].is_weight() || touched[t].is_tile() || level == 0) return;
        if (level == 1 && 2 * whole <= l2) traffic.into_l2_if_forgotten += moved;
        if (level == 2 && whole <= l3) traffic.into_l3_if_forgotten += moved;
      });
  return traffic;
}

}  // namespace hone::cost
