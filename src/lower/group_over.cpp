// The part of GroupLowering inside the register tile: loops over the `over` axes and the statements in them.
#include <algorithm>

#include "lower/group.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

// Where a border lies does not change in the tile's loops: it is asked once, before them. What is known when the code is
// written needs no question.
void GroupLowering::over_tile(const Tile& tile) {
  shortened_.clear();
  std::map<std::string, bool> known, asked;
  Expr inside;
  for (const Skip& skip : skips_) {
    Index rest = skip.rest.substitute(tile.begin);
    if (moves_with_lanes(skip) || border_axis(tile, skip)) {
      const std::vector<std::string> axes = skip.rest.axes();
      if (std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) { return tile.clear.contains(axis); })) {
        known[skip.over] = true;
        continue;
      }
      if (cuts_known_taps(tile, skip)) continue;
      asked[skip.over] = true;
      Expr here = inside_border(tile, skip);
      inside = inside ? binary(BinaryOp::And, inside, here) : here;
      continue;
    }
    const AxisRange& whole = ranges_.at(skip.over);
    Index lo = ir::max(whole.lo, ir::ceil_div(-rest, skip.step));
    Index hi = ir::min(whole.hi, ir::ceil_div(skip.extent - rest, skip.step));
    shortened_[skip.over] = {emitter_.let_index(skip.over + "_lo", lo), emitter_.let_index(skip.over + "_hi", hi)};
  }
  if (!inside) return over_inside(tile, known);
  std::map<std::string, bool> met = known;  // which of several is not known
  if (asked.size() == 1) met[asked.begin()->first] = false;
  asked.merge(known);
  emitter_.branch(inside, [&] { over_inside(tile, asked); }, [&] { over_inside(tile, met); });
}

// The loops over the tile with what is known about its borders; the border of the lanes is left to masks where it is met.
void GroupLowering::over_inside(const Tile& tile, const std::map<std::string, bool>& inside) {
  inside_ = inside;
  std::vector<BorderDim> trusted;
  for (const Skip& skip : skips_) {
    auto known = inside.find(skip.over);
    if (!moves_with_lanes(skip) || (known != inside.end() && known->second)) trusted.push_back(skip.border);
  }
  if (!skips_.empty()) body_.trust_borders(group_.inner[0], trusted);
  body_.forget_loads();
  over(0, tile, {}, {});
  inside_.clear();
}

// True if the loops from this axis on are written out in full.
bool GroupLowering::laid_out(const std::string& over) const {
  int64_t points = 1;
  for (auto axis = std::find(over_order_.begin(), over_order_.end(), over); axis != over_order_.end(); ++axis) {
    const AxisRange& range = ranges_.at(*axis);
    auto number = (range.hi - range.lo).constant();
    if (!number || *axis == plan_.vector_axis) return false;
    points *= *number;
  }
  return points <= plan_.unroll;
}

// True if the code is written for each tap, and which of them the border cuts off is known by then.
bool GroupLowering::cuts_known_taps(const Tile& tile, const Skip& skip) const {
  return laid_out(skip.over) && skip.extent.constant() && skip.rest.substitute(tile.begin).constant();
}

void GroupLowering::over(size_t depth, const Tile& tile, std::map<std::string, Index> at, const Alive& alive) {
  if (depth == over_order_.size()) {
    if (!group_.inner.empty()) inner_statements(tile, {at}, alive, 1, nullptr);
    return;
  }
  const std::string& axis = over_order_[depth];
  AxisRange range = ranges_.at(axis);
  auto skip = std::find_if(skips_.begin(), skips_.end(), [&](const Skip& s) { return s.over == axis; });
  const Skip* cut = nullptr;
  if (skip != skips_.end() && !moves_with_lanes(*skip)) {
    auto unrolled = border_axis(tile, *skip);
    auto known = inside_.find(axis);
    if (!unrolled)
      range = shortened_.at(axis);
    else if (known == inside_.end() || !known->second)
      cut = &*skip;
    if (cut && !cuts_known_taps(tile, *cut)) return over_bordered(depth, tile, at, alive, *cut, *unrolled);
  }
  if (plan_.lanes > 1 && axis == plan_.vector_axis) return over_vector(axis, range, tile, at, alive);
  if (laid_out(axis) && (range.hi - range.lo).constant()) return over_laid_out(depth, range, tile, at, alive, cut);
  over_plain(depth, range, tile, at, alive);
}

// Straight-line code for every point of the axis. Under a border that is met at a known place, the points of the unrolled axis
// that are outside drop out.
void GroupLowering::over_laid_out(size_t depth, const AxisRange& range, const Tile& tile,
                                  const std::map<std::string, Index>& at, const Alive& alive, const Skip* skip) {
  const std::string& axis = over_order_[depth];
  const int64_t count = *(range.hi - range.lo).constant();
  for (int64_t point = 0; point < count; ++point) {
    auto inner = at;
    inner[axis] = range.lo + point;
    Alive left = alive;
    if (skip) {
      const std::string unrolled = *border_axis(tile, *skip);
      const Index stride = skip->rest.linear_in(unrolled)->first;
      const Index position = skip->rest.substitute(tile.begin) + inner[axis] * skip->step;
      auto lo = ir::max(0, ir::ceil_div(-position, stride)).constant();
      auto hi = ir::min(tile.points.at(unrolled), ir::ceil_div(skip->extent - position, stride)).constant();
      HONE_CHECK(lo && hi, "border of {} is not at a known place: {}", axis, position.text());
      if (*lo >= *hi) continue;
      left[unrolled] = {static_cast<int>(*lo), static_cast<int>(*hi)};
    }
    over(depth + 1, tile, inner, left);
  }
}

void GroupLowering::over_plain(size_t depth, const AxisRange& range, const Tile& tile,
                               const std::map<std::string, Index>& at, const Alive& alive) {
  const std::string& axis = over_order_[depth];
  if (depth + 1 == over_order_.size()) return over_innermost(axis, range, tile, at, alive);
  const std::string& next = over_order_[depth + 1];
  if (depth + 2 == over_order_.size() && are_one_run(axis, next)) {
    const AxisRange& within = ranges_.at(next);
    auto inner = at;
    inner[axis] = range.lo;
    const Index points = (range.hi - range.lo) * (within.hi - within.lo);
    return over_innermost(next, {within.lo, within.lo + points}, tile, inner, alive);
  }
  std::string name = emitter_.fresh(axis);
  emitter_.loop(name, range.lo, range.hi, 1, [&] {
    body_.forget_loads();
    auto inner = at;
    inner[axis] = Index::axis(name);
    over(depth + 1, tile, inner, alive);
  });
  body_.forget_loads();
}

void GroupLowering::over_innermost(const std::string& axis, const AxisRange& range, const Tile& tile,
                                   const std::map<std::string, Index>& at, const Alive& alive) {
  auto copies = [&](const Index& first, int count) {
    body_.forget_loads();
    fetch_next(count);
    std::vector<Place> places(static_cast<size_t>(count), at);
    for (int copy = 0; copy < count; ++copy) places[static_cast<size_t>(copy)][axis] = first + copy;
    inner_statements(tile, places, alive, 1, nullptr);
  };
  auto number = (range.hi - range.lo).constant();
  Index lo = emitter_.let_index(axis + "_from", range.lo);
  Index hi = emitter_.let_index(axis + "_to", range.hi);
  if (plan_.unroll > 1 && !is_cut(tile, axis)) {
    Index whole =
        emitter_.let_index(axis + "_whole", lo + ir::floor_div(ir::max(hi - lo, 0), plan_.unroll) * plan_.unroll);
    std::string name = emitter_.fresh(axis);
    emitter_.innermost_loop(name, lo, whole, plan_.unroll, [&] { copies(Index::axis(name), plan_.unroll); });
    if (number && *number % plan_.unroll == 0) return;
    lo = whole;
  }
  std::string name = emitter_.fresh(axis);
  emitter_.innermost_loop(name, lo, hi, 1, [&] { copies(Index::axis(name), 1); });
  body_.forget_loads();
}

// So many points until vectors of the buffer that the plan aligns begin at multiples of their size.
Index GroupLowering::points_in_front(const std::string& axis, const Index& count, const AxisRange& range,
                                     const Tile& tile, const std::map<std::string, Index>& at) {
  for (const ir::Stmt& stmt : group_.inner)
    for (const ir::Access& access : stmt.accesses) {
      if (kernel_.place_name(access.operand) != plan_.align ||
          std::any_of(access.index.begin(), access.index.end(), [](const Index& index) { return index.uses_read(); }))
        continue;
      std::map<std::string, Index> values = begin_of(tile);
      for (const auto& [over, value] : at) values.insert_or_assign(over, value);
      values.insert_or_assign(axis, range.lo);
      const Index offset = addresses_.offset(access.operand, access.index, values);
      return emitter_.let_index(axis + "_front", ir::min(ir::mod(-offset, plan_.lanes), count));
    }
  return 0;
}

// Points [from, to) behind the first, a vector at a time, all under a mask.
void GroupLowering::over_masked(const std::string& axis, const Index& first, const Index& from, const Index& to,
                                const Tile& tile, const std::map<std::string, Index>& at, const Alive& alive) {
  std::string name = emitter_.fresh(axis);
  emitter_.innermost_loop(name, from, to, plan_.lanes, [&] {
    body_.forget_loads();
    auto inner = at;
    inner[axis] = first + Index::axis(name);
    Expr mask = emitter_.let("mask", tail_mask(emitter_.scalar(to - Index::axis(name)), plan_.lanes));
    inner_statements(tile, {inner}, alive, 1, mask);
  });
}

void GroupLowering::over_vector(const std::string& axis, const AxisRange& range, const Tile& tile,
                                const std::map<std::string, Index>& at, const Alive& alive) {
  int vectors = tile_of(axis);
  int64_t stride = int64_t{vectors} * plan_.lanes;
  Index lo = range.lo, count = emitter_.let_index(axis + "_count", range.hi - range.lo);
  if (const Index front = points_in_front(axis, count, range, tile, at); !front.is(0)) {
    over_masked(axis, lo, 0, front, tile, at, alive);
    lo = lo + front;
    count = emitter_.let_index(axis + "_behind", count - front);
  }
  Index whole = emitter_.let_index(axis + "_whole", ir::floor_div(count, stride));
  std::string name = emitter_.fresh(axis);
  emitter_.innermost_loop(name, 0, whole, 1, [&] {
    body_.forget_loads();
    auto inner = at;
    inner[axis] = lo + Index::axis(name) * stride;
    inner_statements(tile, {inner}, alive, vectors, nullptr);
  });
  if (count.constant() && *count.constant() % stride == 0) return;
  over_masked(axis, lo, whole * stride, count, tile, at, alive);
}

std::vector<GroupLowering::InnerPoint> GroupLowering::inner_points(const Tile& tile, const std::vector<Place>& places,
                                                                   const Alive& alive, int vectors, Expr mask) {
  std::vector<InnerPoint> points;
  std::map<std::string, Expr> masks;
  for (size_t place = 0; place < places.size(); ++place)
    for_points(tile, alive, [&](Point point) {
      const std::string tile_key = point.key;
      for (const auto& [axis, value] : places[place]) point.values.insert_or_assign(axis, value);
      for (int copy = 0; copy < vectors; ++copy) {
        Point here = point;
        if (vector_is_over()) {
          here.lanes = plan_.lanes;
          here.mask = mask;
          Index& along = here.values[plan_.vector_axis];
          along = along + int64_t{copy} * plan_.lanes + Index::axis(kLane);
          here.key = fmt::format("{}w{}", tile_key, copy);
        } else if (tile.masked && !inner_needs_no_mask()) {
          std::string vector = tile_key.substr(tile_key.rfind('v'));
          if (!masks.contains(vector)) {
            int64_t skipped = std::stoll(vector.substr(1)) * plan_.lanes;
            masks[vector] = emitter_.let("mask", tail_mask(emitter_.scalar(tile.vector_left - skipped), plan_.lanes));
          }
          here.mask = masks[vector];
        }
        std::string accumulator = here.key;
        if (place > 0) here.key += fmt::format("c{}", place);
        points.push_back({std::move(here), std::move(accumulator)});
      }
    });
  return points;
}

// The statements in turn, each at all points; `places` are points of the over axes. Where all are reductions, points are in turn
// instead, so that what the reductions of a point share is held only meanwhile.
void GroupLowering::inner_statements(const Tile& tile, const std::vector<Place>& places, const Alive& alive,
                                     int vectors, Expr mask) {
  const std::vector<InnerPoint> points = inner_points(tile, places, alive, vectors, mask);
  if (std::all_of(group_.inner.begin(), group_.inner.end(),
                  [](const ir::Stmt& stmt) { return stmt.combine != ir::Combine::None; })) {
    for (const InnerPoint& at : points)
      for (const ir::Stmt& stmt : group_.inner) accumulate(stmt, at.point, accumulator_name(stmt, at.accumulator));
    return;
  }
  for (const ir::Stmt& stmt : group_.inner) {
    if (stmt.combine != ir::Combine::None) {
      for (const InnerPoint& at : points) accumulate(stmt, at.point, accumulator_name(stmt, at.accumulator));
      continue;
    }
    std::vector<Point> all;
    for (const InnerPoint& at : points) all.push_back(at.point);
    for (std::span<const Point> few : side_by_side(all)) compute(stmt, few);
  }
}

void GroupLowering::accumulate(const ir::Stmt& stmt, const Point& point, const std::string& name) {
  VectorType type{stmt.body->type, point.lanes};
  Expr accumulator = variable(name, type);
  bool product = stmt.combine == ir::Combine::Sum && ir::is_float(stmt.body->type) &&
                 stmt.body->kind == ir::ScalarNode::Kind::Operation && stmt.body->op == ir::ScalarOp::Mul;
  Expr next;
  if (product) {
    Expr a = body_.argument(stmt, stmt.body->args[0], point);
    Expr b = body_.argument(stmt, stmt.body->args[1], point);
    next = fma(broadcast(a, point.lanes), broadcast(b, point.lanes), accumulator);
  } else {
    next = combined(stmt.combine, accumulator, broadcast(body_.value(stmt, point), point.lanes));
  }
  // Dead lanes of a reduction along the vector must not count.
  if (point.mask && vector_is_over()) next = select(point.mask, next, accumulator);
  emitter_.append(assign(name, next));
}

}  // namespace hone::lower
