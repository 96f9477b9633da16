#include "cost/group/vector_choice.h"

namespace hone::cost {
namespace {

using ir::Index;

// A reduction weighs as much more than what follows it as it is long, within reason: it may be a guess.
constexpr double kLeastDepth = 16, kMostDepth = 256;

// For a group that only moves elements, written along `axis`: the other axis along which it reads, if it is to turn them.
std::string across_axis(const Space& space, const std::string& axis, int lanes) {
  if (!space.group.over.empty() || lanes < 2) return "";
  std::string across;
  for (const auto* stmts : {&space.group.inner, &space.group.outer})
    for (const ir::Stmt& stmt : *stmts) {
      if (!stmt.at.empty() &&
          stride_of(space.kernel, space.use, space.kernel.place_of(stmt.result), stmt.at, axis) == Stride::Strided)
        return "";
      for (const ir::Access& access : stmt.accesses) {
        if (space.stride(access, axis) != Stride::Strided) continue;
        std::string found;
        for (const ir::GroupAxis& other : space.group.parallel)
          if (other.axis != axis && space.points(other) >= lanes &&
              space.stride(access, other.axis) == Stride::Contiguous)
            found = other.axis;
        if (found.empty() || (!across.empty() && across != found)) return "";
        across = found;
      }
    }
  return across;
}

// Cycles of touching memory for one vector of points along the axis; lanes 1 is scalar code.
double access_cost(const Space& space, const std::string& axis, int lanes, const std::string& across) {
  double cost = 0;
  const double depth = space.depth();
  double inner_weight = space.group.over.empty() ? 1 : std::clamp(depth, kLeastDepth, kMostDepth);
  auto add = [&](Stride stride, double weight) { cost += weight * touch_cycles(stride, lanes, !across.empty()); };
  auto visit = [&](const std::vector<ir::Stmt>& stmts, double weight) {
    for (const ir::Stmt& stmt : stmts) {
      for (const ir::Access& access : stmt.accesses) {
        add(space.stride(access, axis), weight);
        if (has_border_along(access, axis)) cost += weight;
      }
      if (!stmt.at.empty())
        add(stride_of(space.kernel, space.use, space.kernel.place_of(stmt.result), stmt.at, axis), weight);
      cost += 0.25 * weight;
    }
  };
  visit(space.group.inner, inner_weight);
  visit(space.group.outer, 1);
  return cost;
}

// Of the lanes that a contraction's wider vectors compute, halves of them must leave out so much to make up for more of them.
constexpr double kEmptyLanes = 0.1;

// Halves of the widest vectors where those would stay half empty: they take no longer, and on some machines half as long. There a
// contraction takes them as well if they leave fewer lanes empty at the end of the axis.
int lanes_for(const Space& space, const ir::GroupAxis& axis, int widest) {
  const int64_t points = space.points(axis), half = widest / 2;
  if (space.target.vector_bits <= 256) return widest;
  if (points <= half) return widest / 2;
  const bool as_fast =
      space.figures(widest / 2).multiply_adds_per_cycle >= 2 * space.target.figures.multiply_adds_per_cycle;
  auto computed = [&](int64_t lanes) { return static_cast<double>((points + lanes - 1) / lanes * lanes); };
  const bool fuller = computed(half) < (1 - kEmptyLanes) * computed(widest);
  return as_fast && fuller && is_contraction(space.group) ? widest / 2 : widest;
}

}  // namespace

bool has_border_along(const ir::Access& access, const std::string& axis) {
  return access.border.rule != ir::Border::Rule::None &&
         std::any_of(access.index.begin(), access.index.end(),
                     [&](const Index& index) { return index.uses_axis(axis) && index.axes().size() > 1; });
}

double touch_cycles(Stride stride, int lanes, bool turned) {
  switch (stride) {
    case Stride::Invariant:
      return 0.5;
    case Stride::Contiguous:
    case Stride::Packable:
      return 1;
    case Stride::Alternate:
      return 3;
    case Stride::Strided:
      return turned ? 3.0 : 1.5 * lanes;
  }
  return 0;
}

VectorChoice choose_vector(const Space& space) {
  const int widest = space.lanes();
  VectorChoice best{space.group.parallel.empty() ? "" : space.group.parallel.back().axis, 1, ""};
  double best_cost = 1e300;
  auto consider = [&](const ir::GroupAxis& axis, bool over) {
    const int64_t points = space.points(axis);
    const int lanes = over ? widest : lanes_for(space, axis, widest);
    if (over && points < 2 * lanes) return;
    // Vectors that are narrower because that leaves fewer lanes empty are as fast for each lane.
    const double width = points > lanes ? widest : lanes;
    double used = static_cast<double>(points) / static_cast<double>((points + lanes - 1) / lanes * lanes);
    const std::string across = over || points < lanes ? "" : across_axis(space, axis.axis, lanes);
    double cost = access_cost(space, axis.axis, lanes, across) / (width * std::max(used, 1e-9)) * (over ? 1.2 : 1.0);
    if (cost < best_cost) {
      best_cost = cost;
      best = {axis.axis, lanes, across};
    }
  };
  for (const ir::GroupAxis& axis : space.group.parallel) consider(axis, false);
  for (const ir::GroupAxis& axis : space.group.over) consider(axis, true);
  return best;
}

}  // namespace hone::cost
