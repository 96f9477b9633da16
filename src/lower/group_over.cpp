// The part of GroupLowering inside the register tile: loops over the `over` axes and the statements in them.
#include <algorithm>

#include "lower/group.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

// The unrolled axis of the tile along which the skipped border moves, if there is one.
std::optional<std::string> GroupLowering::border_axis(const Tile& tile, const Skip& skip) const {
  for (const auto& [unrolled, points] : tile.points)
    if (points > 1 && skip.rest.uses_axis(unrolled)) return unrolled;
  return std::nullopt;
}

// True if no point of the tile reads past the border, at whatever point of the over axis.
Expr GroupLowering::inside_border(const Tile& tile, const Skip& skip, const std::string& unrolled) {
  const AxisRange& range = ranges_.at(skip.over);
  Index rest = emitter_.let_index("rest", skip.rest.substitute(tile.begin));
  Index first = rest + range.lo * skip.step;
  int64_t stride = skip.rest.linear_in(unrolled)->first.constant().value_or(0);
  Index last = rest + stride * (tile.points.at(unrolled) - 1) + (range.hi - 1) * skip.step;
  return binary(BinaryOp::And, binary(BinaryOp::LessEqual, int_constant(0), emitter_.scalar(first)),
                binary(BinaryOp::Less, emitter_.scalar(last), emitter_.scalar(skip.extent)));
}

// Where a border lies does not change in the tile's loops: it is asked once, before them.
void GroupLowering::over_tile(const Tile& tile) {
  shortened_.clear();
  for (const Skip& skip : skips_) {
    if (border_axis(tile, skip)) continue;
    const AxisRange& whole = ranges_.at(skip.over);
    Index rest = skip.rest.substitute(tile.begin);
    Index lo = ir::max(whole.lo, ir::ceil_div(-rest, skip.step));
    Index hi = ir::min(whole.hi, ir::ceil_div(skip.extent - rest, skip.step));
    shortened_[skip.over] = {emitter_.let_index(skip.over + "_lo", lo), emitter_.let_index(skip.over + "_hi", hi)};
  }
  for (const Skip& skip : skips_) {
    auto unrolled = border_axis(tile, skip);
    if (!unrolled) continue;
    auto with = [&](bool inside) {
      return [&, inside] {
        inside_[skip.over] = inside;
        over(0, tile, {}, {});
      };
    };
    emitter_.branch(inside_border(tile, skip, *unrolled), with(true), with(false));
    inside_.clear();
    return;
  }
  over(0, tile, {}, {});
}

void GroupLowering::over(size_t depth, const Tile& tile, std::map<std::string, Index> at, const Alive& alive) {
  if (depth == over_order_.size()) {
    if (!group_.inner.empty()) {
      body_.forget_loads();
      inner_statements(tile, at, alive, 1, nullptr);
    }
    return;
  }
  const std::string& axis = over_order_[depth];
  AxisRange range = ranges_.at(axis);
  auto skip = std::find_if(skips_.begin(), skips_.end(), [&](const Skip& s) { return s.over == axis; });
  if (skip != skips_.end()) {
    if (auto unrolled = border_axis(tile, *skip)) {
      auto known = inside_.find(axis);
      if (known != inside_.end() && known->second) return over_plain(depth, range, tile, at, alive);
      return over_bordered(depth, tile, at, alive, *skip, *unrolled);
    }
    range = shortened_.at(axis);
  }
  if (plan_.lanes > 1 && axis == plan_.vector_axis) return over_vector(axis, range, tile, at, alive);
  over_plain(depth, range, tile, at, alive);
}

void GroupLowering::over_plain(size_t depth, const AxisRange& range, const Tile& tile,
                               const std::map<std::string, Index>& at, const Alive& alive) {
  const std::string& axis = over_order_[depth];
  bool innermost = depth + 1 == over_order_.size();
  if (!innermost) {
    std::string name = emitter_.fresh(axis);
    emitter_.loop(name, range.lo, range.hi, 1, [&] {
      auto inner = at;
      inner[axis] = Index::axis(name);
      over(depth + 1, tile, inner, alive);
    });
    return;
  }
  auto copies = [&](const Index& first, int count) {
    body_.forget_loads();
    for (int copy = 0; copy < count; ++copy) {
      auto inner = at;
      inner[axis] = first + copy;
      inner_statements(tile, inner, alive, 1, nullptr);
    }
  };
  auto number = (range.hi - range.lo).constant();
  if (number && *number <= plan_.unroll) return copies(range.lo, static_cast<int>(*number));
  Index lo = emitter_.let_index(axis + "_from", range.lo);
  Index hi = emitter_.let_index(axis + "_to", range.hi);
  if (plan_.unroll > 1) {
    Index whole =
        emitter_.let_index(axis + "_whole", lo + ir::floor_div(ir::max(hi - lo, 0), plan_.unroll) * plan_.unroll);
    std::string name = emitter_.fresh(axis);
    emitter_.innermost_loop(name, lo, whole, plan_.unroll, [&] { copies(Index::axis(name), plan_.unroll); });
    if (number && *number % plan_.unroll == 0) return;
    lo = whole;
  }
  std::string name = emitter_.fresh(axis);
  emitter_.innermost_loop(name, lo, hi, 1, [&] { copies(Index::axis(name), 1); });
}

// The tile reaches over a border: for each point of the over axis, only some points of the unrolled axis are inside.
void GroupLowering::over_bordered(size_t depth, const Tile& tile, const std::map<std::string, Index>& at,
                                  const Alive& alive, const Skip& skip, const std::string& unrolled) {
  const std::string& axis = over_order_[depth];
  int points = tile.points.at(unrolled);
  auto linear = skip.rest.linear_in(unrolled);
  HONE_CHECK(linear && linear->first.constant().value_or(0) > 0, "border of {} is not linear in {}", axis, unrolled);
  int64_t stride = *linear->first.constant();
  Index rest = emitter_.let_index("rest", skip.rest.substitute(tile.begin));
  const AxisRange& range = ranges_.at(axis);
  auto interior = [&] { over_plain(depth, range, tile, at, alive); };
  auto border = [&] {
    std::string name = emitter_.fresh(axis);
    emitter_.loop(name, range.lo, range.hi, 1, [&] {
      auto inner = at;
      inner[axis] = Index::axis(name);
      Index position = rest + Index::axis(name) * skip.step;
      Expr lo = emitter_.let("alive_lo", emitter_.scalar(ir::max(0, ir::ceil_div(-position, stride))));
      Expr hi =
          emitter_.let("alive_hi", emitter_.scalar(ir::min(points, ir::ceil_div(skip.extent - position, stride))));
      auto when = [&](int from, int to) {
        return binary(BinaryOp::And, binary(BinaryOp::Equal, lo, int_constant(from)),
                      binary(BinaryOp::Equal, hi, int_constant(to)));
      };
      auto alive_within = [&](int from, int to) {
        Alive cut = alive;
        cut[unrolled] = {from, to};
        return cut;
      };
      auto point_by_point = [&] {
        for (int u = 0; u < points; ++u)
          emitter_.branch(binary(BinaryOp::And, binary(BinaryOp::LessEqual, lo, int_constant(u)),
                                 binary(BinaryOp::Less, int_constant(u), hi)),
                          [&] { over(depth + 1, tile, inner, alive_within(u, u + 1)); });
      };
      // The usual cases have code of their own: all inside, the reach of one tap cut off at the left, or at the right.
      const int cut = static_cast<int>(std::max<int64_t>(1, skip.step / stride));
      auto cut_right = [&] {
        if (points <= cut) return point_by_point();
        emitter_.branch(
            when(0, points - cut), [&] { over(depth + 1, tile, inner, alive_within(0, points - cut)); },
            point_by_point);
      };
      auto cut_left = [&] {
        if (points <= cut) return point_by_point();
        emitter_.branch(when(cut, points), [&] { over(depth + 1, tile, inner, alive_within(cut, points)); }, cut_right);
      };
      emitter_.branch(when(0, points), [&] { over(depth + 1, tile, inner, alive); }, cut_left);
    });
  };
  if (inside_.contains(axis)) return border();
  emitter_.branch(inside_border(tile, skip, unrolled), interior, border);
}

void GroupLowering::over_vector(const std::string& axis, const AxisRange& range, const Tile& tile,
                                const std::map<std::string, Index>& at, const Alive& alive) {
  int vectors = tile_of(axis);
  int64_t stride = int64_t{vectors} * plan_.lanes;
  Index count = emitter_.let_index(axis + "_count", range.hi - range.lo);
  Index whole = emitter_.let_index(axis + "_whole", ir::floor_div(count, stride));
  std::string name = emitter_.fresh(axis);
  emitter_.innermost_loop(name, 0, whole, 1, [&] {
    body_.forget_loads();
    auto inner = at;
    inner[axis] = range.lo + Index::axis(name) * stride;
    inner_statements(tile, inner, alive, vectors, nullptr);
  });
  if (count.constant() && *count.constant() % stride == 0) return;
  std::string rest = emitter_.fresh(axis);
  emitter_.innermost_loop(rest, whole * stride, count, plan_.lanes, [&] {
    body_.forget_loads();
    auto inner = at;
    inner[axis] = range.lo + Index::axis(rest);
    Expr mask = emitter_.let("mask", tail_mask(emitter_.scalar(count - Index::axis(rest)), plan_.lanes));
    inner_statements(tile, inner, alive, 1, mask);
  });
}

void GroupLowering::inner_statements(const Tile& tile, const std::map<std::string, Index>& at, const Alive& alive,
                                     int vectors, Expr mask) {
  bool over_vector_axis = vector_is_over();
  std::map<std::string, Expr> masks;
  for (const ir::Stmt& stmt : group_.inner)
    for_points(tile, alive, [&](Point point) {
      std::string tile_key = point.key;
      for (const auto& [axis, value] : at) point.values.insert_or_assign(axis, value);
      for (int copy = 0; copy < vectors; ++copy) {
        Point here = point;
        if (over_vector_axis) {
          here.lanes = plan_.lanes;
          here.mask = mask;
          here.values[plan_.vector_axis] = at.at(plan_.vector_axis) + int64_t{copy} * plan_.lanes + Index::axis(kLane);
          here.key = fmt::format("{}w{}", tile_key, copy);
        } else if (tile.masked && !inner_needs_no_mask()) {
          std::string vector = tile_key.substr(tile_key.rfind('v'));
          if (!masks.contains(vector)) {
            int64_t skipped = std::stoll(vector.substr(1)) * plan_.lanes;
            masks[vector] = emitter_.let("mask", tail_mask(emitter_.scalar(tile.vector_left - skipped), plan_.lanes));
          }
          here.mask = masks[vector];
        }
        if (stmt.combine != ir::Combine::None)
          accumulate(stmt, here, accumulator_name(stmt, here.key));
        else if (stmt.at.empty() &&
                 kernel_.place_of(stmt.result) >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size()))
          body_.set_register(stmt.result, here.key, body_.value(stmt, here));
        else
          body_.store(stmt, here, body_.value(stmt, here));
      }
    });
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
