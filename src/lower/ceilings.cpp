#include "lower/ceilings.h"

#include <algorithm>

namespace hone::lower {
namespace {

using ir::Access;
using ir::Group;
using ir::Index;
using ir::Scalar;
using ir::ScalarNode;
using ir::ScalarOp;
using ir::Stmt;

// A tile whose element at `at` is no smaller than any element of `of` along the axes that were reduced.
struct Ceiling {
  Access of;
  std::vector<Index> at;
};

// The nodes beside the group, itself among them.
const std::vector<ir::Node>* siblings_of(const std::vector<ir::Node>& nodes, const Group& group) {
  for (const ir::Node& node : nodes) {
    if (const auto* own = std::get_if<Group>(&node)) {
      if (own == &group) return &nodes;
      continue;
    }
    if (const auto* found = siblings_of(std::get<std::shared_ptr<const ir::Nest>>(node)->body, group)) return found;
  }
  return nullptr;
}

void visit_groups(const ir::Node& node, const std::function<void(const Group&)>& visit) {
  if (const auto* group = std::get_if<Group>(&node)) return visit(*group);
  for (const ir::Node& inside : std::get<std::shared_ptr<const ir::Nest>>(node)->body) visit_groups(inside, visit);
}

bool has_range(const Group& group) {
  auto ranged = [](const ir::GroupAxis& axis) { return axis.range || axis.carry; };
  return std::any_of(group.parallel.begin(), group.parallel.end(), ranged) ||
         std::any_of(group.over.begin(), group.over.end(), ranged);
}

bool is_access(const Scalar& scalar) {
  return scalar->kind == ScalarNode::Kind::Access;
}

const Access& accessed(const Stmt& stmt, const Scalar& scalar) {
  return stmt.accesses[static_cast<size_t>(scalar->access)];
}

class Ceilings {
 public:
  explicit Ceilings(const ir::Kernel& kernel)
      : kernel_(kernel), first_register_(static_cast<int>(kernel.buffers.size() + kernel.tiles.size())) {}

  // What the groups of the node leave behind.
  void pass(const ir::Node& node) {
    visit_groups(node, [&](const Group& group) {
      for (const auto* stmts : {&group.inner, &group.outer})
        for (const Stmt& stmt : *stmts)
          if (!stmt.at.empty()) forget(kernel_.place_of(stmt.result));
    });
    if (const auto* group = std::get_if<Group>(&node); group && !has_range(*group)) learn(*group);
  }

  // x - t, where t is a ceiling of x, or that times a positive number.
  bool is_below(const Stmt& stmt, const Scalar& difference) const {
    if (difference->kind == ScalarNode::Kind::Operation && difference->op == ScalarOp::Mul &&
        difference->args[1]->kind == ScalarNode::Kind::Constant && difference->args[1]->number > 0)
      return is_below(stmt, difference->args[0]);
    if (difference->kind != ScalarNode::Kind::Operation || difference->op != ScalarOp::Sub ||
        !is_access(difference->args[0]) || !is_access(difference->args[1]))
      return false;
    const Access &value = accessed(stmt, difference->args[0]), &top = accessed(stmt, difference->args[1]);
    auto found = tiles_.find(top.operand);
    return found != tiles_.end() && found->second.of.operand == value.operand &&
           found->second.of.index == value.index && found->second.at == top.index &&
           value.border.rule == ir::Border::Rule::None && top.border.rule == ir::Border::Rule::None;
  }

  // Nothing in the group changes a ceiling, nor what lies below it anywhere but at the point at hand.
  void keep_for(const Group& group) {
    for (const auto* stmts : {&group.inner, &group.outer})
      for (const Stmt& stmt : *stmts) {
        if (stmt.at.empty()) continue;
        const int place = kernel_.place_of(stmt.result);
        std::erase_if(tiles_, [&](const auto& entry) {
          return entry.first == place || (entry.second.of.operand == place && entry.second.of.index != stmt.at);
        });
      }
  }

 private:
  void forget(int place) {
    std::erase_if(tiles_, [&](const auto& entry) { return entry.first == place || entry.second.of.operand == place; });
  }

  void learn(const Group& group) {
    std::map<int, Access> registers;
    for (const Stmt& stmt : group.inner) {
      const bool largest = stmt.combine == ir::Combine::Max || stmt.combine == ir::Combine::MaxNumber;
      if (!largest || !is_access(stmt.body)) continue;
      const Access& of = accessed(stmt, stmt.body);
      if (of.operand < first_register_ && of.border.rule == ir::Border::Rule::None)
        registers[kernel_.place_of(stmt.result)] = of;
    }
    for (const Stmt& stmt : group.outer) {
      const Access* of = nullptr;
      auto look = [&](const Scalar& scalar) {
        if (!is_access(scalar)) return;
        if (auto found = registers.find(accessed(stmt, scalar).operand); found != registers.end()) of = &found->second;
      };
      look(stmt.body);
      if (stmt.body->kind == ScalarNode::Kind::Operation && stmt.body->op == ScalarOp::Max)
        for (const Scalar& argument : stmt.body->args) look(argument);
      if (!of) continue;
      const Access known = *of;
      if (stmt.at.empty())
        registers[kernel_.place_of(stmt.result)] = known;
      else
        tiles_[kernel_.place_of(stmt.result)] = {known, stmt.at};
    }
  }

  const ir::Kernel& kernel_;
  const int first_register_;
  std::map<int, Ceiling> tiles_;  // by place
};

void visit_minimums(const Scalar& scalar, const std::function<void(const Scalar&)>& visit) {
  if (scalar->kind == ScalarNode::Kind::Operation && scalar->op == ScalarOp::Min &&
      scalar->args[1]->kind == ScalarNode::Kind::Constant && ir::is_float(scalar->type) && scalar->args[1]->number == 0)
    visit(scalar);
  for (const Scalar& argument : scalar->args) visit_minimums(argument, visit);
}

}  // namespace

std::set<const ScalarNode*> needless_minimums(const ir::Kernel& kernel, const Group& group) {
  const std::vector<ir::Node>* siblings = siblings_of(kernel.body, group);
  if (!siblings || has_range(group)) return {};
  Ceilings ceilings(kernel);
  for (const ir::Node& node : *siblings) {
    if (std::get_if<Group>(&node) == &group) break;
    ceilings.pass(node);
  }
  ceilings.keep_for(group);
  std::set<const ScalarNode*> needless;
  std::set<int> below;  // registers
  for (const auto* stmts : {&group.inner, &group.outer})
    for (const Stmt& stmt : *stmts) {
      visit_minimums(stmt.body, [&](const Scalar& minimum) {
        const Scalar& first = minimum->args[0];
        if (ceilings.is_below(stmt, first) || (is_access(first) && below.contains(accessed(stmt, first).operand)))
          needless.insert(minimum.get());
      });
      if (stmt.at.empty() && stmt.combine == ir::Combine::None && ceilings.is_below(stmt, stmt.body))
        below.insert(kernel.place_of(stmt.result));
    }
  return needless;
}

}  // namespace hone::lower
