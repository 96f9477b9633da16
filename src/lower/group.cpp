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
  if (std::any_of(skips_.begin(), skips_.end(), [&](const Skip& skip) { return !can_skip(skip); })) skips_.clear();
  body_.learn_signs(group);
  for (const auto& [buffer, elements] : plan.ahead) body_.fetch_ahead(kernel.place_of(buffer), elements);
  find_next();
}

// Where the border moves with the lanes, it must be plain which of them are inside.
bool GroupLowering::can_skip(const Skip& skip) const {
  if (plan_.lanes == 1) return true;
  if (skip.over == plan_.vector_axis) return false;
  auto linear = skip.rest.linear_in(plan_.vector_axis);
  return linear && linear->first.constant().value_or(-1) >= 0;
}

bool GroupLowering::moves_with_lanes(const Skip& skip) const {
  return plan_.lanes > 1 && skip.rest.uses_axis(plan_.vector_axis);
}

bool GroupLowering::turns(const std::string& axis) const {
  return ir::turns(plan_, group_, axis);
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

// The points of the tile's unrolled axes that borders leave alive, each still without its place along the vector axis.
std::vector<Point> GroupLowering::rows_of(const Tile& tile, const Alive& alive) const {
  Point start;
  start.values = begin_of(tile);
  std::vector<Point> rows = {start};
  for (const std::string& axis : parallel_order_) {
    auto found = tile.points.find(axis);
    if (found == tile.points.end() || axis == plan_.vector_axis) continue;
    const int points = found->second;
    auto cut = alive.find(axis);
    auto [lo, hi] = cut == alive.end() ? std::pair{0, points} : cut->second;
    std::vector<Point> wider;
    for (const Point& row : rows)
      for (int u = lo; u < hi; ++u) {
        Point& next = wider.emplace_back(row);
        next.values[axis] = tile.begin.at(axis) + u;
        if (turns(axis) && points % plan_.lanes == 0) {
          next.across = axis;
          next.position = u % plan_.lanes;
        }
        next.key += fmt::format("{}{}", next.key.empty() ? "" : "_", u);
      }
    rows = std::move(wider);
  }
  return rows;
}

// Whichever of rows and vectors are fewer run inside, because what they read stays in registers meanwhile.
void GroupLowering::for_points(const Tile& tile, const Alive& alive, const std::function<void(Point)>& visit) {
  const std::vector<Point> rows = rows_of(tile, alive);
  if (plan_.lanes == 1 || vector_is_over()) {
    for (const Point& row : rows) visit(row);
    return;
  }
  const int vectors = tile.points.at(plan_.vector_axis);
  auto visit_at = [&](Point point, int v) {
    point.lanes = plan_.lanes;
    const int64_t back = v + 1 == vectors ? tile.reach_back : 0;
    point.values[plan_.vector_axis] =
        tile.begin.at(plan_.vector_axis) + (int64_t{v} * plan_.lanes - back) + Index::axis(kLane);
    point.key += fmt::format("v{}", v);
    visit(point);
  };
  if (static_cast<size_t>(vectors) <= rows.size()) {
    for (const Point& row : rows)
      for (int v = 0; v < vectors; ++v) visit_at(row, v);
    return;
  }
  for (int v = 0; v < vectors; ++v)
    for (const Point& row : rows) visit_at(row, v);
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
