#include "cost/grid/traffic.h"

#include <algorithm>
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
// A part of each cache is taken by what the model does not see; the last level is shared with strangers.
constexpr double kUsableL1 = 0.8, kUsableL2 = 0.75, kUsableL3 = 0.5;

// What moves into a cache that holds `capacity` bytes: everything inside the outermost loop that fits stays there; a tensor that
// stands still in the loops around it stays as well.
std::vector<double> moved_into(double capacity, const std::vector<Touched>& touched,
                               const std::vector<double>& wait_factors, const std::vector<NestLoop>& loops,
                               const std::vector<int64_t>& extents) {
  std::vector<int64_t> spans = extents;
  size_t depth = 0;
  for (; depth < loops.size(); ++depth) {
    double inside = 0;
    for (const Touched& tensor : touched) inside += tensor.bytes(spans);
    if (inside <= capacity) break;
    spans[static_cast<size_t>(loops[depth].axis)] = loops[depth].step;
  }
  std::vector<double> moved;
  for (size_t t = 0; t < touched.size(); ++t) {
    const Touched& tensor = touched[t];
    double bytes = tensor.bytes(spans);
    size_t outer = depth;
    while (outer > 0 && !tensor.moves_with(loops[outer - 1].axis)) --outer;
    for (size_t k = 0; k < outer; ++k) bytes *= loops[k].count;
    moved.push_back(bytes * wait_factors[t]);
  }
  return moved;
}

}  // namespace

Touched::Touched(const ir::Kernel& kernel, const Use& use, int place, const std::vector<Index>& index,
                 const std::string& innermost_axis) {
  element_bytes_ = static_cast<double>(ir::size_of(kernel.place_type(place)));
  auto size_of = [&](const Index& size) {
    return size.evaluate([&](const std::string& name) { return use.sizes.at(name); });
  };
  const bool buffer = place < static_cast<int>(kernel.buffers.size());
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
      dimension.terms.push_back({static_cast<int>(a), std::abs(factor.value_or(1))});
    }
    // Of two merged axes the inner one runs over both dimensions, so a plain dimension is as long as its axis.
    if (dimension.terms.size() == 1 || !buffer) {
      for (const Term& term : dimension.terms)
        dimension.extent *= extent_of(kernel, use, kernel.axes[static_cast<size_t>(term.axis)].name);
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
    for (const Term& term : dimension.terms) span += term.factor * (spans[static_cast<size_t>(term.axis)] - 1);
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
  auto moves = [](const Dimension& dimension, int axis) {
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

bool Touched::moves_with(int axis) const {
  return std::any_of(dimensions_.begin(), dimensions_.end(), [&](const Dimension& dimension) {
    return std::any_of(dimension.terms.begin(), dimension.terms.end(), [&](const Term& t) { return t.axis == axis; });
  });
}

Traffic traffic_of(const std::vector<Touched>& touched, const std::vector<NestLoop>& loops,
                   const std::vector<int64_t>& extents, const target::Target& target) {
  std::vector<double> wait_factors;
  for (const Touched& tensor : touched) wait_factors.push_back(tensor.wait_factor(loops));
  auto into = [&](double capacity) { return moved_into(capacity, touched, wait_factors, loops, extents); };
  auto sum = [](const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); };
  const double l1 = kUsableL1 * static_cast<double>(target.l1_bytes);
  const double l2 = kUsableL2 * static_cast<double>(target.l2_bytes);
  const double l3 = kUsableL3 * static_cast<double>(target.l3_bytes);
  const std::vector<double> into_l2 = into(l2), into_l3 = into(l3);
  Traffic traffic{sum(into(l1)), sum(into_l2), sum(into_l3), 0, 0};
  for (size_t t = 0; t < touched.size(); ++t) {
    if (touched[t].is_weight()) continue;
    const double bytes = touched[t].bytes(extents);
    if (2 * bytes <= l2) traffic.into_l2_if_forgotten += into_l2[t];
    if (bytes <= l3) traffic.into_l3_if_forgotten += into_l3[t];
  }
  return traffic;
}

}  // namespace hone::cost
