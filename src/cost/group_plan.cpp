#include "cost/group_plan.h"

#include <algorithm>
#include <cmath>

namespace hone::cost {
namespace {

using ir::Index;

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

  // Points of the axis that the group sees at once: a range of its own, else at most a pass of its loop or the extent.
  int64_t points(const ir::GroupAxis& axis) const {
    if (axis.range)
      if (auto number = (axis.range->second - axis.range->first).constant()) return std::max<int64_t>(*number, 1);
    int64_t extent = extent_of(kernel, use, axis.axis);
    return has_passes(kernel.body, axis.axis) ? std::min(extent, kPassPoints) : extent;
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
};

// A reduction weighs as much more than what follows it as it is long, within reason: it may be a guess.
constexpr double kLeastDepth = 16, kMostDepth = 256;

// A window slides along the axis and may reach past the end: its vectors need masks.
bool has_border_along(const ir::Access& access, const std::string& axis) {
  return access.border.rule != ir::Border::Rule::None &&
         std::any_of(access.index.begin(), access.index.end(),
                     [&](const Index& index) { return index.uses_axis(axis) && index.axes().size() > 1; });
}

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
  double depth = 1;
  for (const ir::GroupAxis& over : space.group.over) depth *= static_cast<double>(space.points(over));
  double inner_weight = space.group.over.empty() ? 1 : std::clamp(depth, kLeastDepth, kMostDepth);
  auto add = [&](Stride stride, double weight) {
    switch (stride) {
      case Stride::Invariant:
        cost += 0.5 * weight;
        break;
      case Stride::Contiguous:
      case Stride::Packable:
        cost += weight;
        break;
      case Stride::Alternate:
        cost += 3 * weight;
        break;
      case Stride::Strided:
        cost += (across.empty() ? 1.5 * lanes : 3.0) * weight;
        break;
    }
  };
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

struct VectorChoice {
  std::string axis;
  int lanes = 1;
  std::string across;  // if not empty: loads are contiguous along this axis and turned in registers
};

VectorChoice choose_vector(const Space& space) {
  int lanes = space.lanes();
  VectorChoice best{space.group.parallel.empty() ? "" : space.group.parallel.back().axis, 1, ""};
  double best_cost = 1e300;
  auto consider = [&](const ir::GroupAxis& axis, bool over) {
    int64_t points = space.points(axis);
    if (over && points < 2 * lanes) return;
    double used = static_cast<double>(points) / static_cast<double>((points + lanes - 1) / lanes * lanes);
    const std::string across = over || points < lanes ? "" : across_axis(space, axis.axis, lanes);
    double cost = access_cost(space, axis.axis, lanes, across) / (lanes * std::max(used, 1e-9)) * (over ? 1.2 : 1.0);
    if (cost < best_cost) {
      best_cost = cost;
      best = {axis.axis, lanes, across};
    }
  };
  for (const ir::GroupAxis& axis : space.group.parallel) consider(axis, false);
  for (const ir::GroupAxis& axis : space.group.over) consider(axis, true);
  return best;
}

bool is_parallel(const ir::Group& group, const std::string& axis) {
  return std::any_of(group.parallel.begin(), group.parallel.end(),
                     [&](const ir::GroupAxis& a) { return a.axis == axis; });
}

// How many vectors of accumulators, of the vector operand and of the other one live at once in the inner loop.
bool fits(int rows, int vectors, int reductions, int registers) {
  return rows * vectors * reductions + vectors * reductions + 1 <= registers;
}

// Cycles until a multiply-add can use the result of the one before it, for two units; of a load beside others; and of starting
// and storing a tile.
constexpr double kChainCycles = 5;
constexpr double kLoadCycles = 0.6;
constexpr double kTileCycles = 20;
constexpr int64_t kEnoughRows = 6;
constexpr double kFewTaps = 50;

// The axis whose points share the vector operand, if there is one.
std::string row_axis_of(const Space& space, const std::string& vector_axis) {
  double depth = 1;
  for (const ir::GroupAxis& axis : space.group.over) depth *= static_cast<double>(space.points(axis));
  std::string row_axis;
  int64_t rows = 1;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector_axis) continue;
    bool reuses = false;
    for (const ir::Stmt& stmt : space.group.inner)
      for (const ir::Access& access : stmt.accesses)
        reuses |= space.stride(access, vector_axis) != Stride::Invariant &&
                  space.stride(access, axis.axis) == Stride::Invariant;
    int64_t points = space.points(axis);
    // An inner axis with enough points is better than a longer one outside it, which may be a guess at a batch. A window of a few
    // taps gains little from rows, and its borders along an inner axis need much code.
    if (reuses && points > 1 && points >= (depth < kFewTaps ? rows : std::min(rows, kEnoughRows)))
      row_axis = axis.axis, rows = points;
  }
  return row_axis;
}

// Rows × vectors of a contraction whose vector axis is parallel, by the cycles that the whole group takes; least first.
std::vector<RegisterTile> tiles_of(const Space& space, const std::string& vector_axis, int lanes) {
  int reductions = 0;
  for (const ir::Stmt& stmt : space.group.inner) reductions += stmt.combine != ir::Combine::None;
  double depth = 1;
  for (const ir::GroupAxis& axis : space.group.over) depth *= static_cast<double>(space.points(axis));
  std::string row_axis = row_axis_of(space, vector_axis);
  int64_t columns = 1, rows = 1;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector_axis) columns = space.points(axis);
    if (axis.axis == row_axis) rows = space.points(axis);
  }
  std::vector<RegisterTile> tiles;
  for (int held_vectors = 1; held_vectors <= 4; ++held_vectors)
    for (int held_rows = 1; held_rows <= 14; ++held_rows) {
      if (held_rows > rows || !fits(held_rows, held_vectors, reductions, space.target.vector_registers)) continue;
      // Tiles along the rows are of almost equal size, so the average counts.
      double row_tiles = std::ceil(static_cast<double>(rows) / held_rows);
      double column_tiles = std::ceil(static_cast<double>(columns) / (held_vectors * lanes));
      double average_rows = static_cast<double>(rows) / row_tiles;
      double cycles = tile_cycles(average_rows, held_vectors, reductions, depth);
      tiles.push_back({row_axis, held_rows, held_vectors, row_tiles * column_tiles * cycles});
    }
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const RegisterTile& a, const RegisterTile& b) { return a.cycles < b.cycles * 0.999; });
  return tiles;
}

void tile_contraction(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  RegisterTile best = tiles_of(space, vector.axis, vector.lanes).front();
  const std::string& row_axis = best.row_axis;
  plan.tile[vector.axis] = best.vectors;
  if (!row_axis.empty()) plan.tile[row_axis] = best.rows;
  double depth = 1;
  for (const ir::GroupAxis& axis : space.group.over) depth *= static_cast<double>(space.points(axis));
  int64_t columns = 1;
  for (const ir::GroupAxis& axis : space.group.parallel)
    if (axis.axis == vector.axis) columns = space.points(axis);
  // The panel of the vector operand stays in the first-level cache while everything that reads it again passes by.
  std::vector<std::string> before, after;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector.axis || axis.axis == row_axis) continue;
    bool moves_panel = false;
    for (const ir::Stmt& stmt : space.group.inner)
      for (const ir::Access& access : stmt.accesses)
        moves_panel |= space.stride(access, vector.axis) != Stride::Invariant &&
                       space.stride(access, axis.axis) != Stride::Invariant;
    (moves_panel ? before : after).push_back(axis.axis);
  }
  if (!row_axis.empty()) after.push_back(row_axis);
  // Where it does not fit there but all panels fit the second level, the rows stay instead.
  double line = depth * 4;
  double panel = line * static_cast<double>(plan.tile[vector.axis] * vector.lanes);
  bool panel_fits = panel <= static_cast<double>(space.target.l1_bytes);
  bool all_fit = line * static_cast<double>(columns) <= static_cast<double>(space.target.l2_bytes) / 2;
  plan.order = before;
  if (panel_fits || !all_fit) plan.order.push_back(vector.axis);
  plan.order.insert(plan.order.end(), after.begin(), after.end());
  if (!panel_fits && all_fit) plan.order.push_back(vector.axis);
}

// A window over channels of their own, as in depthwise convolution and pooling: points share an operand through the taps alone,
// which are laid out in full. A tile holds its accumulators and as many vectors of the operand; several rows, along an axis that
// the taps move as well, share what they load. Vectors along the window itself are best with two of them to a row.
constexpr int64_t kWindowVectors = 7;
constexpr int64_t kManyTaps =
    32;  // from here on eight, which hide the latency of long chains, are worth a spilled register
constexpr int64_t kWindowColumns = 2;
constexpr int64_t kMostTaps = 64;

// The `over` axis that moves an access along the same dimension as this axis does.
std::string tap_along(const Space& space, const ir::Access& access, const std::string& axis) {
  for (const Index& index : access.index)
    for (const ir::GroupAxis& over : space.group.over)
      if (index.uses_axis(axis) && index.uses_axis(over.axis)) return over.axis;
  return "";
}

// The access that moves with the vectors, with the taps and with every parallel axis.
const ir::Access* window_of(const Space& space, const VectorChoice& vector) {
  int64_t taps = 1;
  for (const ir::GroupAxis& axis : space.group.over)
    taps *= space.kernel.extent(axis.axis).constant().value_or(kMostTaps + 1);
  if (space.group.inner.size() != 1 || taps > kMostTaps) return nullptr;
  for (const ir::Access& access : space.group.inner[0].accesses) {
    bool tapped = false, moved = space.stride(access, vector.axis) != Stride::Invariant;
    for (const ir::GroupAxis& axis : space.group.parallel) {
      tapped |= !tap_along(space, access, axis.axis).empty();
      moved &= space.points(axis) == 1 || space.stride(access, axis.axis) != Stride::Invariant;
    }
    if (tapped && moved) return &access;
  }
  return nullptr;
}

struct WindowRows {
  std::string axis, tap;
  int64_t points = 1;
};

// The innermost axis of known length that could give the rows of a tile.
WindowRows rows_of(const Space& space, const VectorChoice& vector, const ir::Access& window) {
  WindowRows rows;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    const std::string tap = tap_along(space, window, axis.axis);
    const int64_t points = space.kernel.extent(axis.axis).constant().value_or(1);
    if (axis.axis != vector.axis && points > 1 && !tap.empty()) rows = {axis.axis, tap, points};
  }
  return rows;
}

// Gives the tap along the rows of the tile, which goes innermost so that rows meet again what they loaded.
std::string tile_window(const Space& space, const VectorChoice& vector, const ir::Access& window, ir::GroupPlan& plan) {
  plan.unroll = 1;
  for (const ir::GroupAxis& axis : space.group.over) plan.unroll *= static_cast<int>(space.points(axis));
  const int64_t held = plan.unroll < kManyTaps ? kWindowVectors : kWindowVectors + 1;
  const WindowRows rows = rows_of(space, vector, window);
  int64_t columns = 1, vectors = 1;
  if (!tap_along(space, window, vector.axis).empty()) columns = rows.points > 1 ? kWindowColumns : held;
  for (const ir::GroupAxis& axis : space.group.parallel)
    if (axis.axis == vector.axis) vectors = (space.points(axis) + vector.lanes - 1) / vector.lanes;
  const int64_t tiles = (vectors + columns - 1) / columns;
  plan.tile[vector.axis] = (vectors + tiles - 1) / tiles;
  if (rows.points > 1) plan.tile[rows.axis] = std::min(rows.points, held / plan.tile[vector.axis]);
  return rows.tap;
}

// A reduction along the vector: accumulators for a few points of the parallel axes give independent chains.
void tile_reduction_along(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  if (!is_contraction(space.group)) {
    plan.tile[vector.axis] = 4;
    return;
  }
  int budget = space.target.vector_registers >= 32 ? 4 : 3;
  std::vector<std::pair<int64_t, std::string>> axes;
  for (const ir::GroupAxis& axis : space.group.parallel) axes.push_back({space.points(axis), axis.axis});
  std::sort(axes.rbegin(), axes.rend());
  for (size_t k = 0; k < axes.size() && k < 2; ++k)
    if (axes[k].first > 1) plan.tile[axes[k].second] = std::min<int64_t>(axes[k].first, k == 0 ? 4 : budget);
}

bool has_costly_math(const ir::Scalar& scalar) {
  using Op = ir::ScalarOp;
  static const std::set<Op> costly = {Op::Exp, Op::Log, Op::Tanh, Op::Erf, Op::Sigmoid, Op::Sin, Op::Cos, Op::Pow};
  if (scalar->kind == ir::ScalarNode::Kind::Operation && costly.contains(scalar->op)) return true;
  return std::any_of(scalar->args.begin(), scalar->args.end(), has_costly_math);
}

// Parallel axes from the one with the largest steps in memory to the smallest, judged by the first store.
std::vector<std::string> parallel_order(const Space& space, const VectorChoice& vector) {
  std::vector<std::string> order = space.names(space.group.parallel);
  std::stable_sort(order.begin(), order.end(),
                   [&](const std::string& a, const std::string& b) { return (a == vector.axis) < (b == vector.axis); });
  return order;
}

// A copy that turns what it reads: the axis that lies along memory where the vector axis does not, else none.
std::string turned_axis(const Space& space, const VectorChoice& vector) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses) {
      if (space.stride(access, vector.axis) != Stride::Strided) continue;
      for (const ir::GroupAxis& axis : space.group.parallel)
        if (space.stride(access, axis.axis) == Stride::Contiguous) return axis.axis;
    }
  return "";
}

// Every line that was fetched for one point is used up by the next few.
void order_turning(const std::string& along, ir::GroupPlan& plan) {
  std::erase(plan.order, along);
  plan.order.push_back(along);
  plan.tile[plan.vector_axis] = 1;
  plan.tile[along] = 4;
}

// Taps of a window run outside the long loops, so that those stay long.
constexpr int64_t kLargestWindow = 11;

std::vector<std::string> over_order(const Space& space, const std::string& innermost) {
  std::vector<ir::GroupAxis> axes = space.group.over;
  std::stable_sort(axes.begin(), axes.end(), [&](const ir::GroupAxis& a, const ir::GroupAxis& b) {
    bool a_last = a.axis == innermost, b_last = b.axis == innermost;
    if (a_last != b_last) return b_last;
    return space.points(a) <= kLargestWindow && space.points(b) > kLargestWindow;
  });
  return space.names(axes);
}

}  // namespace

double tile_cycles(double rows, double vectors, int reductions, double depth) {
  double fmas = rows * vectors * reductions;
  double loads = rows + vectors * reductions;
  return std::max({fmas / 2, loads * kLoadCycles, kChainCycles}) * depth + kTileCycles + 2 * fmas;
}

std::vector<RegisterTile> register_tiles(const ir::Kernel& kernel, const ir::Group& group, const ir::GroupPlan& plan,
                                         const Use& use, const target::Target& target) {
  return tiles_of(Space{kernel, group, use, target}, plan.vector_axis, plan.lanes);
}

ir::GroupPlan plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use,
                         const target::Target& target) {
  Space space{kernel, group, use, target};
  VectorChoice vector = choose_vector(space);
  ir::GroupPlan plan;
  plan.vector_axis = vector.axis;
  plan.lanes = vector.lanes;
  plan.order = parallel_order(space, vector);
  std::string innermost = vector.axis;
  if (vector.lanes > 1 && is_parallel(group, vector.axis)) {
    if (const ir::Access* window = window_of(space, vector);
        window && (!tap_along(space, *window, vector.axis).empty() || rows_of(space, vector, *window).points > 1)) {
      innermost = tile_window(space, vector, *window, plan);
    } else if (is_contraction(group) || (!group.over.empty() && group.inner.size() == 1)) {
      tile_contraction(space, vector, plan);
    } else {
      bool costly = std::any_of(group.inner.begin(), group.inner.end(),
                                [](const ir::Stmt& s) { return has_costly_math(s.body); }) ||
                    std::any_of(group.outer.begin(), group.outer.end(),
                                [](const ir::Stmt& s) { return has_costly_math(s.body); });
      plan.tile[vector.axis] = costly || !vector.across.empty() ? 1 : 2;
      // A line of the cache is read whole.
      if (!vector.across.empty()) plan.tile[vector.across] = int64_t{2} * vector.lanes;
    }
    std::string along = vector.across.empty() && group.over.empty() ? turned_axis(space, vector) : "";
    if (!along.empty()) order_turning(along, plan);
  } else if (vector.lanes > 1) {
    tile_reduction_along(space, vector, plan);
  }
  for (const std::string& axis : over_order(space, innermost)) plan.order.push_back(axis);
  // Where the points of a tile have no broadcast operand in common, a window of constant size is laid out in full, so that
  // neighbouring points share their loads.
  bool broadcasts = false;
  for (const ir::Stmt& stmt : group.inner)
    for (const ir::Access& access : stmt.accesses) broadcasts |= space.stride(access, vector.axis) == Stride::Invariant;
  if (!group.over.empty() && !broadcasts && plan.unroll == 1) {
    auto taps = kernel.extent(plan.order.back()).constant();
    plan.unroll = taps && *taps >= 1 && *taps <= 7 && plan.order.back() != vector.axis ? static_cast<int>(*taps) : 1;
  }
  return plan;
}

}  // namespace hone::cost
