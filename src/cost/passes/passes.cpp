#include "cost/passes/passes.h"

#include <algorithm>

#include "cost/group/group_space.h"

namespace hone::cost {
namespace {

using ir::Access;
using ir::Combine;
using ir::Group;
using ir::Index;
using ir::Nest;
using ir::Stmt;

// The operation that continues a reduction of floats.
std::optional<ir::ScalarOp> continued_by(Combine combine) {
  switch (combine) {
    case Combine::Sum:
      return ir::ScalarOp::Add;
    case Combine::Prod:
      return ir::ScalarOp::Mul;
    case Combine::Max:
      return ir::ScalarOp::Max;
    case Combine::Min:
      return ir::ScalarOp::Min;
    case Combine::MaxNumber:
    case Combine::None:
      break;
  }
  return std::nullopt;
}

bool has_range(const std::vector<ir::GroupAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const ir::GroupAxis& axis) { return axis.range || axis.carry; });
}

// Tiles stand before registers in the numbers of places.
void make_room_for_tiles(std::vector<Stmt>& statements, int first_register, int tiles) {
  for (Stmt& stmt : statements)
    for (Access& access : stmt.accesses)
      if (access.operand >= first_register) access.operand += tiles;
}

const std::vector<ir::Node>& inside_grid(const ir::Kernel& kernel) {
  const std::vector<ir::Node>* nodes = &kernel.body;
  while (nodes->size() == 1) {
    const auto* nest = std::get_if<std::shared_ptr<const Nest>>(&(*nodes)[0]);
    if (!nest || !(*nest)->grid) break;
    nodes = &(*nest)->body;
  }
  return *nodes;
}

// The same grid around another body.
std::vector<ir::Node> in_grid(const std::vector<ir::Node>& nodes, std::vector<ir::Node> body) {
  const auto* outer = std::get_if<std::shared_ptr<const Nest>>(&nodes[0]);
  if (!outer || !(*outer)->grid) return body;
  Nest nest = **outer;
  nest.body = in_grid(nest.body, std::move(body));
  return {std::make_shared<const Nest>(std::move(nest))};
}

ir::Node loop(const std::string& axis, const Index& step, std::vector<ir::Node> body, std::vector<ir::State> states) {
  Nest nest;
  nest.axis = axis;
  nest.step = step;
  nest.states = std::move(states);
  nest.body = std::move(body);
  return std::make_shared<const Nest>(std::move(nest));
}

std::vector<std::string> axes_of_tiles(const ir::Kernel& kernel, const Group& group, const std::string& innermost) {
  std::vector<std::string> axes;
  for (const ir::GroupAxis& axis : group.parallel)
    if (!innermost.empty() || !Space::is_single(kernel.body, axis.axis)) axes.push_back(axis.axis);
  std::stable_partition(axes.begin(), axes.end(), [&](const std::string& axis) { return axis != innermost; });
  return axes;
}

}  // namespace

const Group* last_group(const ir::Kernel& kernel) {
  const std::vector<ir::Node>& nodes = inside_grid(kernel);
  const bool groups =
      std::all_of(nodes.begin(), nodes.end(), [](const ir::Node& node) { return std::holds_alternative<Group>(node); });
  return groups && !nodes.empty() ? &std::get<Group>(nodes.back()) : nullptr;
}

bool can_be_continued(const Group& group) {
  if (has_range(group.parallel) || has_range(group.over)) return false;
  return std::all_of(group.inner.begin(), group.inner.end(), [](const Stmt& stmt) {
    if (!stmt.at.empty()) return false;
    return stmt.combine == Combine::None || (continued_by(stmt.combine) && ir::is_float(stmt.body->type));
  });
}

ir::Kernel in_passes(const ir::Kernel& kernel, const Group& last, const std::vector<Pass>& passes,
                     const std::string& innermost) {
  ir::Kernel result = kernel;
  Group group = last, behind;
  behind.parallel = group.parallel;
  behind.inner = std::move(group.outer);
  group.outer.clear();
  const int first_register = static_cast<int>(kernel.buffers.size() + kernel.tiles.size());
  const int tiles = static_cast<int>(
      std::count_if(group.inner.begin(), group.inner.end(), [](const Stmt& s) { return s.combine != Combine::None; }));
  make_room_for_tiles(group.inner, first_register, tiles);
  make_room_for_tiles(behind.inner, first_register, tiles);
  std::vector<ir::Node> body = inside_grid(kernel);
  body.pop_back();
  for (ir::Node& before : body)
    for (auto* statements : {&std::get<Group>(before).inner, &std::get<Group>(before).outer})
      make_room_for_tiles(*statements, first_register, tiles);
  const std::vector<std::string> tiled = axes_of_tiles(kernel, last, innermost);
  std::vector<Index> at;
  for (const std::string& axis : tiled) at.push_back(Index::axis(axis));
  for (const Stmt& stmt : group.inner)
    if (stmt.combine != Combine::None)
      result.tiles.push_back({fmt::format("so_far{}", result.tiles.size()), stmt.body->type, tiled, std::nullopt});
  int tile = first_register;
  std::vector<ir::State> states;
  for (const Stmt& stmt : group.inner) {
    if (stmt.combine == Combine::None) continue;
    const ir::DType type = stmt.body->type;
    const int sum = result.place_of(stmt.result);
    Stmt next;
    next.result = result.place_name(tile);
    next.at = at;
    next.accesses = {Access{tile, at, {}}, Access{sum, {}, {}}};
    next.body = ir::apply(*continued_by(stmt.combine), {ir::access_value(type, 0), ir::access_value(type, 1)});
    group.outer.push_back(std::move(next));
    for (Stmt& later : behind.inner)
      for (Access& access : later.accesses)
        if (access.operand == sum) access = {tile, at, {}};
    states.push_back({result.place_name(tile), ir::constant(type, ir::identity_of(stmt.combine))});
    ++tile;
  }
  std::vector<ir::Node> pass = {std::move(group)};
  for (size_t k = passes.size(); k-- > 0;)
    pass = {
        loop(passes[k].axis, passes[k].step, std::move(pass), k == 0 ? std::move(states) : std::vector<ir::State>())};
  body.push_back(std::move(pass[0]));
  body.push_back(std::move(behind));
  result.body = in_grid(kernel.body, std::move(body));
  return result;
}

}  // namespace hone::cost
