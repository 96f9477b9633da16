// The part of GroupLowering behind the loops over the `over` axes: what becomes of the accumulators.
#include "lower/group.h"
#include "lower/settled.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

namespace {

// The largest lane of a vector without NaN: halves of it, one instruction each, where reduce_max would also look for NaN.
Expr largest_number(Emitter& emitter, Expr vector) {
  for (int half = vector->type.lanes / 2; half > 0; half /= 2) {
    std::vector<int> low, high;
    for (int lane = 0; lane < half; ++lane) low.push_back(lane), high.push_back(half + lane);
    Expr a = emitter.let("low", shuffle(vector, vector, low)), b = emitter.let("high", shuffle(vector, vector, high));
    vector = emitter.let("larger", combined(ir::Combine::MaxNumber, a, b));
  }
  return extract(vector, 0);
}

}  // namespace

void GroupLowering::reduce_vector(const Tile& tile) {
  for (const ir::Stmt& stmt : group_.inner) {
    if (stmt.combine == ir::Combine::None) continue;
    for_points(tile, {}, [&](const Point& point) {
      VectorType wide{stmt.body->type, plan_.lanes};
      Expr sum = variable(accumulator_name(stmt, point.key + "w0"), wide);
      for (int copy = 1; copy < tile_of(plan_.vector_axis); ++copy)
        sum =
            combined(stmt.combine, sum, variable(accumulator_name(stmt, fmt::format("{}w{}", point.key, copy)), wide));
      if (stmt.combine == ir::Combine::MaxNumber) {  // what was combined before is no NaN
        body_.set_register(stmt.result, point.key, emitter_.let("reduced", largest_number(emitter_, sum)));
        return;
      }
      ExprKind kind{};
      switch (stmt.combine) {
        case ir::Combine::None:
        case ir::Combine::Sum:
          kind = ExprKind::ReduceAdd;
          break;
        case ir::Combine::Prod:
          kind = ExprKind::ReduceMul;
          break;
        case ir::Combine::Max:
        case ir::Combine::MaxNumber:
          kind = ExprKind::ReduceMax;
          break;
        case ir::Combine::Min:
          kind = ExprKind::ReduceMin;
          break;
      }
      body_.set_register(stmt.result, point.key, emitter_.let("reduced", reduce(kind, sum)));
    });
  }
}

// Most tiles of an index-masked group lie wholly where the mask lets everything through: they have code without it.
void GroupLowering::outer_statements(const Tile& tile) {
  if (group_.outer.empty()) return;
  std::set<const ir::ScalarNode*> settled;
  Expr all_hold;
  for (const IndexSelect& select : index_selects(group_.outer)) {
    auto largest = largest_in(select.excess, points_of(tile));
    if (!largest) continue;
    Expr holds = binary(BinaryOp::LessEqual, emitter_.scalar(largest->substitute(begin_of(tile))), int_constant(0));
    all_hold = all_hold ? binary(BinaryOp::And, all_hold, holds) : holds;
    settled.insert(select.select);
  }
  if (settled.empty()) return outer_statements_by_mask(tile);
  auto with = [&](std::set<const ir::ScalarNode*> selects) {
    return [this, &tile, selects] {
      body_.settle(selects);
      outer_statements_by_mask(tile);
    };
  };
  emitter_.branch(all_hold, with(settled), with({}));
  body_.settle({});
}

void GroupLowering::outer_statements_by_mask(const Tile& tile) {
  if (!tile.masked) return run_outer(tile, false);
  if (!inner_needs_no_mask()) return run_outer(tile, true);
  int64_t stride = int64_t{plan_.lanes} * tile.points.at(plan_.vector_axis);
  emitter_.branch(
      binary(BinaryOp::LessEqual, int_constant(stride), emitter_.scalar(tile.vector_left)),
      [&] { run_outer(tile, false); }, [&] { run_outer(tile, true); });
}

void GroupLowering::run_outer(const Tile& tile, bool masked) {
  bool vector_here = plan_.lanes > 1 && !vector_is_over();
  body_.forget_loads();
  std::map<std::string, Expr> masks;
  std::vector<Point> points;
  for_points(tile, {}, [&](Point point) {
    if (masked && vector_here) {
      std::string vector = point.key.substr(point.key.rfind('v'));
      if (!masks.contains(vector)) {
        int64_t skipped = std::stoll(vector.substr(1)) * plan_.lanes;
        masks[vector] = emitter_.let("mask", tail_mask(emitter_.scalar(tile.vector_left - skipped), plan_.lanes));
      }
      point.mask = masks[vector];
    }
    points.push_back(std::move(point));
  });
  // A few points go through all statements before the next: their accumulators then make room for what comes between.
  for (const std::vector<Point>& run : runs_of(std::move(points)))
    for (std::span<const Point> few : side_by_side(run))
      for (const ir::Stmt& stmt : group_.outer) compute(stmt, few);
}

// All points, or those of each vector for itself where its rows are stored one behind the other across the lanes.
std::vector<std::vector<Point>> GroupLowering::runs_of(std::vector<Point> points) {
  std::map<std::string, std::vector<Point>> by_vector;
  if (plan_.lanes > 1 && !vector_is_over())
    for (const Point& point : points) by_vector[point.key.substr(point.key.rfind('v'))].push_back(point);
  const bool across = !by_vector.empty() && by_vector.begin()->second.size() > 1 &&
                      std::any_of(group_.outer.begin(), group_.outer.end(), [&](const ir::Stmt& stmt) {
                        return body_.stores_across(stmt, by_vector.begin()->second[0], by_vector.begin()->second[1]);
                      });
  if (!across) return {std::move(points)};
  std::vector<std::vector<Point>> runs;
  for (auto& [vector, run] : by_vector) runs.push_back(std::move(run));
  return runs;
}

// As many values are computed beside each other as fill the units while each step waits for the one before it; with more,
// what they hold would not fit the registers.
std::vector<std::span<const Point>> GroupLowering::side_by_side(const std::vector<Point>& points) {
  constexpr size_t kChains = 4;
  std::vector<std::span<const Point>> runs;
  for (size_t first = 0; first < points.size(); first += kChains)
    runs.push_back(std::span(points).subspan(first, std::min(kChains, points.size() - first)));
  return runs;
}

void GroupLowering::compute(const ir::Stmt& stmt, std::span<const Point> points) {
  std::vector<Expr> values;
  std::vector<Block> chains;
  for (const Point& point : points)
    chains.push_back(emitter_.inside([&] { values.push_back(body_.value(stmt, point)); }));
  emitter_.interleave(std::move(chains));
  const bool held = stmt.at.empty() &&
                    kernel_.place_of(stmt.result) >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size());
  if (!held) return body_.store_across(stmt, points, std::move(values));
  for (size_t k = 0; k < points.size(); ++k) body_.set_register(stmt.result, points[k].key, values[k]);
}

// How many points of each axis the tile spans, where that is more than one.
std::map<std::string, int64_t> GroupLowering::points_of(const Tile& tile) const {
  std::map<std::string, int64_t> points;
  for (const auto& [axis, count] : tile.points)
    points[axis] =
        axis == plan_.vector_axis && plan_.lanes > 1 ? int64_t{count} * plan_.lanes - tile.reach_back : count;
  return points;
}

// The first point of the tile on every axis of the kernel.
std::map<std::string, Index> GroupLowering::begin_of(const Tile& tile) const {
  std::map<std::string, Index> begin;
  for (const auto& [axis, range] : ranges_) begin.insert_or_assign(axis, range.lo);
  for (const auto& [axis, at] : tile.begin) begin.insert_or_assign(axis, at);
  return begin;
}

}  // namespace hone::lower
