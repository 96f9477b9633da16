#include "cost/column_passes.h"

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

// Everything at points is on its way into a reduction that can be continued.
bool can_be_continued(const Group& group) {
  return std::all_of(group.inner.begin(), group.inner.end(), [](const Stmt& stmt) {
    if (!stmt.at.empty()) return false;
    return stmt.combine == Combine::None || (continued_by(stmt.combine) && ir::is_float(stmt.body->type));
  });
}

// The only group of a kernel, right inside its grid.
const Group* only_group(const ir::Kernel& kernel) {
  const std::vector<ir::Node>* nodes = &kernel.body;
  while (nodes->size() == 1) {
    if (const auto* group = std::get_if<Group>(&(*nodes)[0])) return group;
    const Nest& nest = *std::get<std::shared_ptr<const Nest>>((*nodes)[0]);
    if (!nest.grid) return nullptr;
    nodes = &nest.body;
  }
  return nullptr;
}

bool has_range(const std::vector<ir::GroupAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const ir::GroupAxis& axis) { return axis.range || axis.carry; });
}

// A window meets the same elements again and again, and borders.
bool has_window(const Group& group) {
  for (const Stmt& stmt : group.inner)
    for (const Access& access : stmt.accesses)
      if (access.border.rule != ir::Border::Rule::None ||
          std::any_of(access.index.begin(), access.index.end(),
                      [&](const Index& index) { return slides(index, group); }))
        return true;
  return false;
}

// Reads an operand from afar, in rows along a parallel axis, each element once.
bool reads_rows_from_afar(const ir::Kernel& kernel, const Group& group, const Use& use, const target::Target& target) {
  for (const Stmt& stmt : group.inner)
    for (const Access& access : stmt.accesses) {
      if (access.operand >= static_cast<int>(kernel.buffers.size())) continue;
      const ir::Buffer& buffer = kernel.buffers[static_cast<size_t>(access.operand)];
      const int64_t row = step_of(use, buffer, access.index, group.over.back().axis).value_or(0) *
                          static_cast<int64_t>(ir::size_of(buffer.dtype));
      const int64_t strip = target.vector_registers / 2 * target.vector_bits / 8;
      const bool from_afar =
          comes_from_memory(buffer, use, target) || (bytes_of(buffer, use) > target.l1_bytes && row > strip);
      auto along = [&](const ir::GroupAxis& axis) {
        return stride_of(kernel, use, access.operand, access.index, axis.axis) == Stride::Contiguous;
      };
      auto moves = [&](const ir::GroupAxis& axis) {
        return stride_of(kernel, use, access.operand, access.index, axis.axis) != Stride::Invariant;
      };
      if (from_afar && std::any_of(group.parallel.begin(), group.parallel.end(), along) &&
          std::all_of(group.over.begin(), group.over.end(), moves))
        return true;
    }
  return false;
}

// Tiles stand before registers in the numbers of places.
void make_room_for_tiles(std::vector<Stmt>& statements, int first_register, int tiles) {
  for (Stmt& stmt : statements)
    for (Access& access : stmt.accesses)
      if (access.operand >= first_register) access.operand += tiles;
}

std::vector<ir::Node> inside(const std::vector<ir::Node>& nodes, const std::vector<ir::Node>& body) {
  if (std::holds_alternative<Group>(nodes[0])) return body;
  Nest nest = *std::get<std::shared_ptr<const Nest>>(nodes[0]);
  nest.body = inside(nest.body, body);
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

std::vector<std::string> axes_of_tiles(const ir::Kernel& kernel, const Group& group) {
  std::vector<std::string> axes;
  for (const ir::GroupAxis& axis : group.parallel)
    if (!Space::is_single(kernel.body, axis.axis)) axes.push_back(axis.axis);
  return axes;
}

}  // namespace

std::optional<ir::Kernel> in_column_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target) {
  const Group* only = only_group(kernel);
  if (!only || only->over.empty() || is_contraction(*only) || !can_be_continued(*only) || has_range(only->parallel) ||
      has_range(only->over) || has_window(*only) || !reads_rows_from_afar(kernel, *only, use, target))
    return std::nullopt;
  ir::Kernel result = kernel;
  Group group = *only, behind;
  behind.parallel = group.parallel;
  behind.inner = std::move(group.outer);
  group.outer.clear();
  const int first_register = static_cast<int>(kernel.buffers.size() + kernel.tiles.size());
  const int tiles = static_cast<int>(
      std::count_if(group.inner.begin(), group.inner.end(), [](const Stmt& s) { return s.combine != Combine::None; }));
  make_room_for_tiles(group.inner, first_register, tiles);
  make_room_for_tiles(behind.inner, first_register, tiles);
  const std::vector<std::string> tiled = axes_of_tiles(kernel, *only);
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
  // All but the innermost reduced axis are taken one by one, so that a pass reads rows that follow each other.
  std::vector<ir::Node> body = {std::move(group)};
  for (size_t k = only->over.size(); k-- > 0;) {
    const std::string& axis = only->over[k].axis;
    const bool innermost = k + 1 == only->over.size();
    body = {loop(axis, innermost ? Index::symbol(fmt::format("T_{}_pass", axis)) : Index(1), std::move(body),
                 k == 0 ? std::move(states) : std::vector<ir::State>())};
  }
  body.push_back(std::move(behind));
  result.body = inside(kernel.body, body);
  return result;
}

}  // namespace hone::cost
