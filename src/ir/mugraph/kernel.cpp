#include "ir/mugraph/kernel.h"

#include <algorithm>
#include <set>

namespace hone::ir {
namespace {

template <typename Named>
int find_named(const std::vector<Named>& list, const std::string& name) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return -1;
}

void collect_groups(const std::vector<Node>& nodes, std::vector<const Group*>& groups) {
  for (const Node& node : nodes) {
    if (const Group* group = std::get_if<Group>(&node))
      groups.push_back(group);
    else
      collect_groups(std::get<std::shared_ptr<const Nest>>(node)->body, groups);
  }
}

// Every symbol that a kernel's expressions name.
class SymbolCollector {
 public:
  void signature(const Kernel& kernel) {
    for (const Buffer& buffer : kernel.buffers)
      for (const Index& dim : buffer.shape) index(dim);
    for (const Axis& axis : kernel.axes) index(axis.extent);
  }

  void body(const Kernel& kernel) {
    for (const Tile& tile : kernel.tiles)
      if (tile.ring) index(tile.ring->rows);
    nodes(kernel.body);
  }

  std::set<std::string> found;
  bool only_structure = false;  // not what statements name

 private:
  void index(const Index& expression) {
    for (std::string& name : expression.symbols()) found.insert(std::move(name));
  }

  void scalar(const Scalar& value) {
    if (!value || !seen_.insert(value.get()).second) return;
    if (value->kind == ScalarNode::Kind::IndexValue) index(value->index);
    for (const Scalar& arg : value->args) scalar(arg);
  }

  void nodes(const std::vector<Node>& list) {
    for (const Node& node : list) {
      if (const Group* g = std::get_if<Group>(&node))
        group(*g);
      else
        nest(*std::get<std::shared_ptr<const Nest>>(node));
    }
  }

  void nest(const Nest& nest) {
    index(nest.step);
    if (nest.until) index(*nest.until);
    for (const State& state : nest.states) scalar(state.init);
    nodes(nest.body);
  }

  void group(const Group& group) {
    for (const auto* axes : {&group.parallel, &group.over})
      for (const GroupAxis& axis : *axes)
        if (axis.range) {
          index(axis.range->first);
          index(axis.range->second);
        }
    if (only_structure) return;
    for (const auto* statements : {&group.inner, &group.outer})
      for (const Stmt& statement : *statements) {
        for (const Index& at : statement.at) index(at);
        for (const Access& access : statement.accesses)
          for (const Index& at : access.index) index(at);
        scalar(statement.body);
      }
  }

  std::set<const ScalarNode*> seen_;  // membership only
};

}  // namespace

int Kernel::place_of(const std::string& wanted) const {
  if (int at = find_named(buffers, wanted); at >= 0) return at;
  if (int at = find_named(tiles, wanted); at >= 0) return static_cast<int>(buffers.size()) + at;
  auto at = std::find(registers.begin(), registers.end(), wanted);
  if (at == registers.end()) return -1;
  return static_cast<int>(buffers.size() + tiles.size() + static_cast<size_t>(at - registers.begin()));
}

const std::string& Kernel::place_name(int place) const {
  size_t at = static_cast<size_t>(place);
  if (at < buffers.size()) return buffers[at].name;
  at -= buffers.size();
  if (at < tiles.size()) return tiles[at].name;
  at -= tiles.size();
  HONE_CHECK(at < registers.size(), "kernel {} has no place {}", name, place);
  return registers[at];
}

DType Kernel::place_type(int place) const {
  size_t at = static_cast<size_t>(place);
  if (at < buffers.size()) return buffers[at].dtype;
  at -= buffers.size();
  if (at < tiles.size()) return tiles[at].dtype;
  at -= tiles.size();
  HONE_CHECK(at < register_types.size(), "kernel {} has no place {}", name, place);
  return register_types[at];
}

const Index& Kernel::extent(const std::string& axis) const {
  int at = find_named(axes, axis);
  HONE_CHECK(at >= 0, "kernel {} has no axis {}", name, axis);
  return axes[static_cast<size_t>(at)].extent;
}

std::vector<std::string> Kernel::symbols(const std::vector<std::string>& parameters) const {
  SymbolCollector collector;
  collector.signature(*this);
  collector.body(*this);
  for (const std::string& parameter : parameters) collector.found.erase(parameter);
  return {collector.found.begin(), collector.found.end()};
}

std::vector<std::string> parameters_of(const Kernel& kernel) {
  SymbolCollector sizes, parameters;
  sizes.signature(kernel);
  parameters.only_structure = true;
  parameters.body(kernel);
  for (const std::string& size : sizes.found) parameters.found.erase(size);
  return {parameters.found.begin(), parameters.found.end()};
}

std::vector<const Group*> groups_of(const Kernel& kernel) {
  std::vector<const Group*> groups;
  collect_groups(kernel.body, groups);
  return groups;
}

}  // namespace hone::ir
