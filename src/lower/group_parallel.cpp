// The part of GroupLowering around the register tile: loops over the parallel axes, tile by tile.
#include <algorithm>

#include "lower/group.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

void GroupLowering::parallel(size_t depth, Tile tile) {
  point_at_next(depth, tile);
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
  auto enter_at = [&](const Index& begin, bool masked, int held) {
    Tile inner = tile;
    inner.begin[axis] = begin;
    inner.points[axis] = held;
    inner.masked = masked;
    inner.vector_left = range.hi - begin;
    parallel(depth + 1, inner);
  };
  auto enter = [&](const Index& position, bool masked, int held) {
    enter_at(range.lo + position * stride, masked, held);
  };
  if (number) {
    tiles_with_borders_apart(axis, range.lo, *number / stride, stride, [&](const Index& begin, bool clear) {
      if (clear) tile.clear.insert(axis);
      enter_at(begin, false, vectors);
      tile.clear.erase(axis);
    });
    const int64_t left = *number % stride;
    const int64_t held = (left + plan_.lanes - 1) / plan_.lanes, reach = held * plan_.lanes;
    if (left == 0) return;
    // A last vector that reaches back over points that are done needs no mask.
    const bool back = plan_.lanes <= *number && (left == reach || may_reach_back());
    if (back && held == 1) return enter_at(range.hi - plan_.lanes, false, 1);
    if (back) tile.reach_back = reach - left;
    return enter_at(range.hi - left, !back, static_cast<int>(held));
  }
  // Sizes known only at run time: tiles that need all their vectors have one piece of code, whole or partial, told apart when
  // it stores; a last tile that needs fewer vectors has code with so many.
  std::string counter = emitter_.fresh(axis + "_v");
  if (inner_needs_no_mask()) {
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
  auto tail = [&] { enter(whole, true, vectors); };
  emitter_.branch(binary(BinaryOp::Less, emitter_.scalar(whole * stride), emitter_.scalar(count)), tail);
}

// Points may be computed twice if nothing reads what they write.
bool GroupLowering::writes_are_unread() const {
  std::set<int> written, read;
  for (const auto* stmts : {&group_.inner, &group_.outer})
    for (const ir::Stmt& stmt : *stmts) {
      if (!stmt.at.empty()) written.insert(kernel_.place_of(stmt.result));
      for (const ir::Access& access : stmt.accesses) read.insert(access.operand);
    }
  return std::none_of(written.begin(), written.end(), [&](int place) { return read.contains(place); });
}

bool GroupLowering::may_overlap(const AxisRange& range, int most) const {
  auto step = range.step.constant();
  if (!step || *step == 0 || *step % most != 0 || (range.hi - range.lo).constant()) return false;
  return writes_are_unread();
}

// Whole vectors may begin anywhere along a window's vector axis if no place is blocked along it.
bool GroupLowering::may_reach_back() const {
  if (group_.over.empty() || !writes_are_unread()) return false;
  auto plain = [&](int place, const std::vector<Index>& index) {
    if (place >= static_cast<int>(kernel_.buffers.size())) return !addresses_.is_tile(place);
    return addresses_.offset(place, index, {}).linear_in(plan_.vector_axis).has_value();
  };
  for (const auto* stmts : {&group_.inner, &group_.outer})
    for (const ir::Stmt& stmt : *stmts) {
      if (!stmt.at.empty() && !plain(kernel_.place_of(stmt.result), stmt.at)) return false;
      for (const ir::Access& access : stmt.accesses)
        if (!plain(access.operand, access.index)) return false;
    }
  return true;
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
  // `larger` tiles of size + 1 points, then tiles of `size` points.
  if (auto number = count.constant(); number && !turns(axis)) {
    if (*number == 0) return;
    const int64_t tiles = (*number + most - 1) / most, size = *number / tiles, larger = *number % tiles;
    auto of_size = [&](int64_t points) {
      return [&, points](const Index& begin, bool clear) {
        if (clear) tile.clear.insert(axis);
        enter(begin, static_cast<int>(points));
        tile.clear.erase(axis);
      };
    };
    tiles_with_borders_apart(axis, range.lo, larger, size + 1, of_size(size + 1));
    tiles_with_borders_apart(axis, range.lo + larger * (size + 1), tiles - larger, size, of_size(size));
    return;
  }
  if (auto clear = clear_of_borders(axis); clear && writes_are_unread())
    return tiles_between_borders(axis, *clear, most, [&](const Index& begin, int points) {
      (points > 1 ? tile.clear : tile.peeled).insert(axis);
      enter(begin, points);
      (points > 1 ? tile.clear : tile.peeled).erase(axis);
    });
  if (may_overlap(range, most) || (turns(axis) && writes_are_unread())) {
    Index left = emitter_.let_index(axis + "_count", count);
    // Fewer points than a tile holds are rare, and pairs of them already keep the units busy: no code for sizes in between.
    auto sizes_below = [&](int points, auto& again) -> void {
      if (points == 1) return tiles_of_one_size(axis, range.lo, left, 1, enter);
      emitter_.branch(
          binary(BinaryOp::LessEqual, int_constant(points), emitter_.scalar(left)),
          [&] { tiles_of_one_size(axis, range.lo, left, points, enter); },
          [&] {
            again(turns(axis) && points > plan_.lanes ? plan_.lanes : points > 2 ? 2 : 1, again);
          });
    };
    return sizes_below(most, sizes_below);
  }
  // Sizes from two thirds of the largest on have code, which is all that more than a dozen points need; few points that would
  // need another size are taken one by one.
  const int least = (2 * most + 2) / 3;
  Index points = emitter_.let_index(axis + "_count", count);
  Index tiles_wanted = emitter_.let_index(axis + "_wanted", ir::ceil_div(points, most));
  Expr fits = binary(BinaryOp::LessEqual, emitter_.scalar(tiles_wanted * least), emitter_.scalar(points));
  std::string name = emitter_.fresh(axis + "_tiles");
  emitter_.append(assign(name, select(fits, emitter_.scalar(tiles_wanted), emitter_.scalar(points))));
  Index tiles = Index::axis(name);
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
    choose(most);
  });
}

}  // namespace hone::lower
