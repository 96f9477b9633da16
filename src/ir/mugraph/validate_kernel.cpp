#include <algorithm>
#include <set>

#include "ir/mugraph/validate_group.h"

namespace hone::ir {
namespace {

class KernelValidator {
 public:
  explicit KernelValidator(const Kernel& kernel) : kernel_(kernel) {}

  Status run() {
    Status status = check();
    if (status.ok()) return status;
    return error("kernel '{}': {}", kernel_.name, status.problem().message);
  }

 private:
  Status check() {
    HONE_PASS(check_names());
    for (const Buffer& buffer : kernel_.buffers)
      for (const Index& dim : buffer.shape) HONE_PASS(only_symbols(dim, fmt::format("buffer {}", buffer.name)));
    for (const Axis& axis : kernel_.axes) HONE_PASS(only_symbols(axis.extent, fmt::format("axis {}", axis.name)));
    for (const Tile& tile : kernel_.tiles) HONE_PASS(check_tile(tile));
    HONE_PASS(check_nodes(kernel_.body, true));
    return check_written();
  }

  Status check_names() const {
    if (kernel_.registers.size() != kernel_.register_types.size())
      return error("{} registers have {} types", kernel_.registers.size(), kernel_.register_types.size());
    std::set<std::string> names;
    auto add = [&](const std::string& name) -> Status {
      if (name.empty()) return error("something has no name");
      if (!names.insert(name).second) return error("'{}' names two things", name);
      return Done{};
    };
    for (const Buffer& buffer : kernel_.buffers) HONE_PASS(add(buffer.name));
    for (const Tile& tile : kernel_.tiles) HONE_PASS(add(tile.name));
    for (const Axis& axis : kernel_.axes) HONE_PASS(add(axis.name));
    for (const std::string& name : kernel_.registers) HONE_PASS(add(name));
    std::vector<std::string> symbols = kernel_.symbols({});
    for (const Axis& axis : kernel_.axes)
      if (std::binary_search(symbols.begin(), symbols.end(), axis.name))
        return error("'{}' is an axis and a size; give one of them another name", axis.name);
    return Done{};
  }

  static Status only_symbols(const Index& index, const std::string& what) {
    if (index.uses_read() || !index.axes().empty())
      return error("{} has the size {}, which names more than run-time sizes", what, index.text());
    return Done{};
  }

  bool is_axis(const std::string& name) const {
    return std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& axis) { return axis.name == name; });
  }

  Status known_axis(const std::string& name, const std::string& user) const {
    if (!is_axis(name)) return error("{} names axis '{}', which is not declared; add: axis {} < …", user, name, name);
    return Done{};
  }

  Status check_tile(const Tile& tile) const {
    std::set<std::string> seen;
    for (const std::string& axis : tile.axes) {
      HONE_PASS(known_axis(axis, fmt::format("tile {}", tile.name)));
      if (!seen.insert(axis).second) return error("tile {} has axis {} twice", tile.name, axis);
    }
    if (!tile.ring) return Done{};
    if (!seen.count(tile.ring->axis))
      return error("tile {} is a ring along {}, which is not among its axes {}", tile.name, tile.ring->axis,
                   fmt::join(tile.axes, ", "));
    if (tile.ring->rows.constant().value_or(1) < 1)
      return error("tile {} is a ring of {} rows", tile.name, tile.ring->rows.text());
    return only_symbols(tile.ring->rows, fmt::format("the ring of tile {}", tile.name));
  }

  // Axes in an expression of a node stand for begins of open tiles.
  Status only_open(const Index& index, const std::string& what) const {
    if (index.uses_read()) return error("{} is {}, which reads memory", what, index.text());
    for (const std::string& axis : index.axes())
      if (!is_open(axis)) return error("{} is {}, but axis {} is not opened around it", what, index.text(), axis);
    return Done{};
  }

  bool is_open(const std::string& axis) const {
    return std::any_of(open_.begin(), open_.end(), [&](const Nest* nest) { return nest->axis == axis; });
  }

  Status check_nodes(const std::vector<Node>& nodes, bool grid_allowed) {
    for (const Node& node : nodes) {
      if (const Group* group = std::get_if<Group>(&node)) {
        HONE_PASS(check_group(*group));
        continue;
      }
      const Nest& nest = *std::get<std::shared_ptr<const Nest>>(node);
      if (nest.grid && !grid_allowed) return error("grid {} stands inside a loop; grids are outermost", nest.axis);
      if (nest.grid && nodes.size() != 1)
        return error("grid {} has neighbours; a grid stands alone in its node", nest.axis);
      HONE_PASS(check_nest(nest));
    }
    return Done{};
  }

  Status check_nest(const Nest& nest) {
    std::string what = fmt::format("{} {}", nest.grid ? "grid" : "loop", nest.axis);
    HONE_PASS(known_axis(nest.axis, what));
    HONE_PASS(only_open(nest.step, fmt::format("the step of {}", what)));
    if (nest.step.constant().value_or(1) < 1)
      return error("{} has step {}; 1 or more is possible", what, nest.step.text());
    if (nest.until) HONE_PASS(only_open(*nest.until, fmt::format("the end of {}", what)));
    if (nest.grid && !nest.states.empty())
      return error("{} carries state, but the tiles of a grid are independent; use loop", what);
    for (const State& state : nest.states) HONE_PASS(check_state(state, what));
    open_.push_back(&nest);
    Status status = check_nodes(nest.body, nest.grid);
    open_.pop_back();
    return status;
  }

  Status check_state(const State& state, const std::string& what) {
    for (const Tile& tile : kernel_.tiles) {
      if (tile.name != state.tile) continue;
      if (!state.init) return error("state {} of {} has no initial value", state.tile, what);
      bool reads = false;
      visit_accesses(state.init, [&](int) { reads = true; });
      if (reads) return error("state {} of {} begins with a value that reads memory", state.tile, what);
      if (state.init->type != tile.dtype)
        return error("state {} of {} is {} but begins with a {}", state.tile, what, name_of(tile.dtype),
                     name_of(state.init->type));
      written_.insert(state.tile);
      return Done{};
    }
    return error("state {} of {} is no tile; declare: tile {}: f32[…]", state.tile, what, state.tile);
  }

  Status check_group(const Group& group) {
    Status status = validate_group(kernel_, open_, group);
    if (!status.ok()) return error("group {}: {}", groups_++, status.problem().message);
    ++groups_;
    for (const auto* list : {&group.inner, &group.outer})
      for (const Stmt& statement : *list) {
        written_.insert(statement.result);
        for (const Access& access : statement.accesses) read_.insert(kernel_.place_name(access.operand));
      }
    return Done{};
  }

  Status check_written() const {
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.output && !written_.count(buffer.name)) return error("out {} is never written", buffer.name);
    for (const Tile& tile : kernel_.tiles)
      if (read_.count(tile.name) && !written_.count(tile.name))
        return error("tile {} is read but never written", tile.name);
    return Done{};
  }

  const Kernel& kernel_;
  std::vector<const Nest*> open_;  // outermost first
  std::set<std::string> written_, read_;
  int groups_ = 0;
};

}  // namespace

Status validate(const Kernel& kernel) {
  return KernelValidator(kernel).run();
}

}  // namespace hone::ir
