#include "lower/group.h"

#include <algorithm>

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

GroupLowering::GroupLowering(Emitter& emitter, const Addresses& addresses, const ir::Kernel& kernel,
                             const ir::Group& group, const ir::GroupPlan& plan, const AxisRanges& ranges)
    : emitter_(emitter),
      kernel_(kernel),
      addresses_(addresses),
      group_(group),
      plan_(plan),
      ranges_(ranges),
      body_(emitter, addresses, kernel),
      prefix_(emitter.fresh("acc")) {
  auto is_parallel = [&](const std::string& axis) {
    return std::any_of(group.parallel.begin(), group.parallel.end(),
                       [&](const ir::GroupAxis& a) { return a.axis == axis; });
  };
  for (const std::string& axis : plan.order) (is_parallel(axis) ? parallel_order_ : over_order_).push_back(axis);
  skips_ = skips_of(kernel, group);
  // A border that moves with the lanes is left to masks.
  for (const Skip& skip : skips_)
    if (plan.lanes > 1 && (skip.over == plan.vector_axis || skip.rest.uses_axis(plan.vector_axis))) {
      skips_.clear();
      break;
    }
  body_.trust_borders(!skips_.empty());
  body_.learn_signs(group);
}

bool GroupLowering::vector_is_over() const {
  return plan_.lanes > 1 && std::find(over_order_.begin(), over_order_.end(), plan_.vector_axis) != over_order_.end();
}

int GroupLowering::tile_of(const std::string& axis) const {
  auto found = plan_.tile.find(axis);
  return found == plan_.tile.end() ? 1 : static_cast<int>(found->second);
}

std::string GroupLowering::accumulator_name(const ir::Stmt& stmt, const std::string& key) const {
  return fmt::format("{}_{}_{}", prefix_, stmt.result, key);
}

void GroupLowering::emit() {
  parallel(0, {});
}

void GroupLowering::parallel(size_t depth, Tile tile) {
  if (depth == parallel_order_.size()) return whole_tile(tile);
  const std::string& axis = parallel_order_[depth];
  if (plan_.lanes > 1 && axis == plan_.vector_axis) return parallel_vector(depth, std::move(tile));
  if (tile_of(axis) > 1) return parallel_unrolled(depth, std::move(tile));
  const AxisRange& range = ranges_.at(axis);
  if ((range.hi - range.lo).is(1)) {
    tile.begin[axis] = range.lo;
    return parallel(depth + 1, tile);
  }
  std::string variable_name = emitter_.fresh(axis);
  emitter_.loop(variable_name, range.lo, range.hi, 1, [&] {
    tile.begin[axis] = Index::axis(variable_name);
    parallel(depth + 1, tile);
  });
}

// True if masking may wait until the outer statements: whatever the inner ones read past the end is the place's own padding.
bool GroupLowering::inner_needs_no_mask() const {
  if (group_.over.empty()) return false;
  for (const ir::Stmt& stmt : group_.inner) {
    if (stmt.combine == ir::Combine::None) return false;
    for (const ir::Access& access : stmt.accesses) {
      bool varies = std::any_of(access.index.begin(), access.index.end(),
                                [&](const Index& i) { return i.uses_axis(plan_.vector_axis) || i.uses_read(); });
      if (!varies || access.operand >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size())) continue;
      if (!addresses_.padded_along(access.operand, access.index, plan_.vector_axis,
                                   int64_t{plan_.lanes} * tile_of(plan_.vector_axis)))
        return false;
    }
  }
  return true;
}

void GroupLowering::parallel_vector(size_t depth, Tile tile) {
  const std::string& axis = parallel_order_[depth];
  const AxisRange& range = ranges_.at(axis);
  int vectors = tile_of(axis);
  int64_t stride = int64_t{vectors} * plan_.lanes;
  Index count = range.hi - range.lo;
  auto number = count.constant();
  std::string counter = emitter_.fresh(axis + "_v");
  auto enter = [&](const Index& position, bool masked, int held) {
    Tile inner = tile;
    inner.begin[axis] = range.lo + position * stride;
    inner.points[axis] = held;
    inner.masked = masked;
    inner.vector_left = range.hi - inner.begin[axis];
    parallel(depth + 1, inner);
  };
  // Sizes known only at run time: tiles that need all their vectors have one piece of code, whole or partial, told apart when
  // it stores; a last tile that needs fewer vectors has code with so many.
  if (inner_needs_no_mask() && !number) {
    const int64_t all_but_one = stride - plan_.lanes;
    Index full = emitter_.let_index(axis + "_full", ir::max(0, ir::ceil_div(count - all_but_one, stride)));
    emitter_.loop(counter, 0, full, 1, [&] { enter(Index::axis(counter), true, vectors); });
    Index left = emitter_.let_index(axis + "_left", ir::ceil_div(count - full * stride, plan_.lanes));
    for (int held = vectors - 1; held > 0; --held)
      emitter_.branch(binary(BinaryOp::Equal, emitter_.scalar(left), int_constant(held)),
                      [&] { enter(full, true, held); });
    return;
  }
  Index whole = emitter_.let_index(axis + "_whole", ir::floor_div(count, stride));
  emitter_.loop(counter, 0, whole, 1, [&] { enter(Index::axis(counter), false, vectors); });
  if (number) {
    int64_t left = *number % stride;
    if (left > 0) enter(whole, true, static_cast<int>((left + plan_.lanes - 1) / plan_.lanes));
    return;
  }
  auto tail = [&] { enter(whole, true, vectors); };
  emitter_.branch(binary(BinaryOp::Less, emitter_.scalar(whole * stride), emitter_.scalar(count)), tail);
}

// Points may be computed twice if nothing reads what they write.
bool GroupLowering::may_overlap(const AxisRange& range, int most) const {
  auto step = range.step.constant();
  if (!step || *step == 0 || *step % most != 0 || (range.hi - range.lo).constant()) return false;
  std::set<int> written, read;
  for (const auto* stmts : {&group_.inner, &group_.outer})
    for (const ir::Stmt& stmt : *stmts) {
      if (!stmt.at.empty()) written.insert(kernel_.place_of(stmt.result));
      for (const ir::Access& access : stmt.accesses) read.insert(access.operand);
    }
  return std::none_of(written.begin(), written.end(), [&](int place) { return read.contains(place); });
}

void GroupLowering::tiles_of_one_size(const std::string& axis, const Index& lo, const Index& count, int points,
                                      const Enter& enter) {
  std::string counter = emitter_.fresh(axis + "_t");
  emitter_.loop(counter, 0, ir::ceil_div(count, points), 1, [&] {
    Index at = Index::axis(counter) * points;
    enter(emitter_.let_index(axis + "_begin", lo + (points == 1 ? at : ir::min(at, count - points))), points);
  });
}

void GroupLowering::parallel_unrolled(size_t depth, Tile tile) {
  const std::string& axis = parallel_order_[depth];
  const AxisRange& range = ranges_.at(axis);
  int most = tile_of(axis);
  Index count = range.hi - range.lo;
  auto enter = [&](const Index& begin, int points) {
    Tile inner = tile;
    inner.begin[axis] = begin;
    inner.points[axis] = points;
    parallel(depth + 1, inner);
  };
  if (auto number = count.constant(); number && *number <= most) {
    if (*number > 0) enter(range.lo, static_cast<int>(*number));
    return;
  }
  if (may_overlap(range, most)) {
    Index left = emitter_.let_index(axis + "_count", count);
    auto sizes_below = [&](int points, auto& again) -> void {
      if (points == 1) return tiles_of_one_size(axis, range.lo, left, 1, enter);
      emitter_.branch(
          binary(BinaryOp::LessEqual, int_constant(points), emitter_.scalar(left)),
          [&] { tiles_of_one_size(axis, range.lo, left, points, enter); },
          [&] { again(points >= 4 ? points / 2 : 1, again); });
    };
    return sizes_below(most, sizes_below);
  }
  // `larger` tiles of size + 1 points, then tiles of `size` points. Sizes from two thirds of the largest on have code, which
  // is all that more than a dozen points need; few points that would need another size are taken one by one.
  const bool known = count.constant().has_value();
  const int least = known ? 1 : (2 * most + 2) / 3;
  Index points = emitter_.let_index(axis + "_count", count);
  Index even = ir::ceil_div(points, most);
  if (!known) {
    Index tiles_wanted = emitter_.let_index(axis + "_wanted", even);
    Expr fits = binary(BinaryOp::LessEqual, emitter_.scalar(tiles_wanted * least), emitter_.scalar(points));
    std::string name = emitter_.fresh(axis + "_tiles");
    emitter_.append(assign(name, select(fits, emitter_.scalar(tiles_wanted), emitter_.scalar(points))));
    even = Index::axis(name);
  }
  Index tiles = emitter_.let_index(axis + "_tiles", even);
  Index safe = emitter_.let_index(axis + "_some", ir::max(tiles, 1));
  Index size = emitter_.let_index(axis + "_size", ir::floor_div(points, safe));
  Index larger = emitter_.let_index(axis + "_larger", points - size * safe);
  std::string counter = emitter_.fresh(axis + "_t");
  emitter_.loop(counter, 0, tiles, 1, [&] {
    Index at = Index::axis(counter);
    Index begin = emitter_.let_index(axis + "_begin", range.lo + at * size + ir::min(at, larger));
    Expr this_size =
        emitter_.let(axis + "_now", binary(BinaryOp::Add, emitter_.scalar(size),
                                           select(binary(BinaryOp::Less, emitter_.scalar(at), emitter_.scalar(larger)),
                                                  int_constant(1), int_constant(0))));
    std::function<void(int)> choose = [&](int candidate) {
      if (candidate < least || candidate == 1) return enter(begin, 1);
      emitter_.branch(
          binary(BinaryOp::Equal, this_size, int_constant(candidate)), [&] { enter(begin, candidate); },
          [&] { choose(candidate - 1); });
    };
    std::vector<int> sizes;
    if (auto number = count.constant()) {
      int64_t n = (*number + most - 1) / most;
      if (*number % n != 0)
        sizes = {static_cast<int>(*number / n + 1), static_cast<int>(*number / n)};
      else
        sizes = {static_cast<int>(*number / n)};
      if (sizes.size() == 1) return enter(begin, sizes[0]);
      return emitter_.branch(
          binary(BinaryOp::Equal, this_size, int_constant(sizes[0])), [&] { enter(begin, sizes[0]); },
          [&] { enter(begin, sizes[1]); });
    }
    choose(most);
  });
}

void GroupLowering::for_points(const Tile& tile, const Alive& alive, const std::function<void(Point)>& visit) {
  std::vector<std::pair<std::string, int>> unrolled;
  for (const std::string& axis : parallel_order_)
    if (auto found = tile.points.find(axis); found != tile.points.end() && axis != plan_.vector_axis)
      unrolled.push_back(*found);
  bool vector_here = plan_.lanes > 1 && !vector_is_over();
  int vectors = vector_here ? tile.points.at(plan_.vector_axis) : 1;
  std::function<void(size_t, Point)> walk = [&](size_t depth, Point point) {
    if (depth < unrolled.size()) {
      const auto& [axis, points] = unrolled[depth];
      auto cut = alive.find(axis);
      auto [lo, hi] = cut == alive.end() ? std::pair{0, points} : cut->second;
      for (int u = lo; u < hi; ++u) {
        Point next = point;
        next.values[axis] = tile.begin.at(axis) + u;
        next.key += fmt::format("{}{}", next.key.empty() ? "" : "_", u);
        walk(depth + 1, next);
      }
      return;
    }
    for (int v = 0; v < vectors; ++v) {
      Point next = point;
      if (vector_here) {
        next.lanes = plan_.lanes;
        next.values[plan_.vector_axis] =
            tile.begin.at(plan_.vector_axis) + int64_t{v} * plan_.lanes + Index::axis(kLane);
        next.key += fmt::format("v{}", v);
      }
      visit(next);
    }
  };
  Point start;
  start.values = begin_of(tile);
  walk(0, start);
}

void GroupLowering::whole_tile(const Tile& tile) {
  body_.forget_loads();
  int copies = vector_is_over() ? tile_of(plan_.vector_axis) : 1;
  for (const ir::Stmt& stmt : group_.inner) {
    if (stmt.combine == ir::Combine::None) continue;
    for_points(tile, {}, [&](const Point& point) {
      int lanes = vector_is_over() ? plan_.lanes : point.lanes;
      for (int copy = 0; copy < copies; ++copy)
        emitter_.append(
            assign(accumulator_name(stmt, vector_is_over() ? fmt::format("{}w{}", point.key, copy) : point.key),
                   identity_value(stmt.combine, stmt.body->type, lanes)));
    });
  }
  over_tile(tile);
  if (vector_is_over())
    reduce_vector(tile);
  else
    for (const ir::Stmt& stmt : group_.inner)
      if (stmt.combine != ir::Combine::None)
        for_points(tile, {}, [&](const Point& point) {
          body_.set_register(stmt.result, point.key,
                             variable(accumulator_name(stmt, point.key), {stmt.body->type, point.lanes}));
        });
  outer_statements(tile);
}

}  // namespace hone::lower
