#include "ir/mugraph/validate_group.h"

#include <algorithm>
#include <set>

namespace hone::ir {
namespace {

class GroupValidator {
 public:
  GroupValidator(const Kernel& kernel, const std::vector<const Nest*>& open, const Group& group)
      : kernel_(kernel), open_(open), group_(group) {}

  Status run() {
    for (const Nest* nest : open_) axes_.insert(nest->axis);
    std::set<std::string> own;
    for (const auto* list : {&group_.parallel, &group_.over})
      for (const GroupAxis& axis : *list) {
        HONE_PASS(check_axis(axis));
        if (!own.insert(axis.axis).second) return error("axis {} stands twice in its head", axis.axis);
      }
    axes_.insert(own.begin(), own.end());
    for (const Stmt& statement : group_.inner) HONE_PASS(check_named(statement, true));
    // Past the reduction only what was reduced is left, and one point of each `over` axis no longer exists.
    if (!group_.over.empty()) {
      registers_ = reduced_;
      for (const GroupAxis& axis : group_.over) axes_.erase(axis.axis);
    }
    reduced_.clear();
    for (const Stmt& statement : group_.outer) HONE_PASS(check_named(statement, false));
    return Done{};
  }

 private:
  Status check_axis(const GroupAxis& axis) const {
    bool known =
        std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& a) { return a.name == axis.axis; });
    if (!known) return error("axis '{}' is not declared; add: axis {} < …", axis.axis, axis.axis);
    if (axis.range)
      for (const Index& end : {axis.range->first, axis.range->second}) {
        if (end.uses_read()) return error("the range of {} reads memory: {}", axis.axis, end.text());
        for (const std::string& used : end.axes())
          if (!axes_.count(used))
            return error("the range of {} names {}, which is not opened around the group", axis.axis, used);
      }
    bool loop = axis.carry && std::any_of(open_.begin(), open_.end(),
                                          [&](const Nest* nest) { return !nest->grid && nest->axis == *axis.carry; });
    if (axis.carry && !loop)
      return error("{} is carried over {}, which is no loop around the group", axis.axis, *axis.carry);
    return Done{};
  }

  Status check_named(const Stmt& statement, bool inner) {
    Status status = check(statement, inner);
    if (status.ok()) return status;
    return error("statement of {}: {}", statement.result, status.problem().message);
  }

  Status check(const Stmt& statement, bool inner) {
    if (!statement.body) return error("it has no body");
    checked_.clear();
    for (size_t i = 0; i < statement.accesses.size(); ++i) HONE_PASS(check_access(statement, i));
    HONE_PASS(check_scalar(statement, statement.body));
    int place = kernel_.place_of(statement.result);
    if (place < 0) return error("there is no such buffer, tile or register");
    if (kernel_.place_type(place) != statement.body->type)
      return error("its value is {} but the place holds {}", name_of(statement.body->type),
                   name_of(kernel_.place_type(place)));
    return is_register(place) ? define(statement, inner) : check_store(statement, place);
  }

  bool is_register(int place) const { return place >= static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size()); }

  size_t rank_of(int place) const {
    size_t at = static_cast<size_t>(place);
    return at < kernel_.buffers.size() ? kernel_.buffers[at].shape.size()
                                       : kernel_.tiles[at - kernel_.buffers.size()].axes.size();
  }

  Status define(const Stmt& statement, bool inner) {
    if (!statement.at.empty()) return error("a register has no indices");
    if (!defined_.insert(statement.result).second) return error("the register is defined twice in its group");
    if (statement.combine != Combine::None && !inner)
      return error("a reduction stands before 'then', where the points of the over axes are");
    bool reduces = statement.combine != Combine::None && !group_.over.empty();
    (reduces ? reduced_ : registers_).insert(statement.result);
    return Done{};
  }

  Status check_store(const Stmt& statement, int place) const {
    if (statement.combine != Combine::None) return error("a reduction goes into a register; store it after 'then'");
    if (static_cast<size_t>(place) < kernel_.buffers.size() && !kernel_.buffers[static_cast<size_t>(place)].output)
      return error("the buffer is an input; declare it with out to write it");
    if (statement.at.size() != rank_of(place))
      return error("{} indices for {} dimensions", statement.at.size(), rank_of(place));
    for (const Index& at : statement.at) {
      if (at.uses_read()) return error("where it is stored depends on memory: {}", at.text());
      HONE_PASS(check_axes(at));
    }
    return Done{};
  }

  Status check_axes(const Index& index) const {
    for (const std::string& axis : index.axes())
      if (!axes_.count(axis)) return error("index {} names axis {}, which has no value here", index.text(), axis);
    return Done{};
  }

  Status check_access(const Stmt& statement, size_t number) const {
    const Access& access = statement.accesses[number];
    int places = static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size() + kernel_.registers.size());
    if (access.operand < 0 || access.operand >= places)
      return error("access {} names place {} of {}", number, access.operand, places);
    const std::string& name = kernel_.place_name(access.operand);
    if (is_register(access.operand)) {
      if (reduced_.count(name)) return error("register {} is complete only after 'then'", name);
      if (!registers_.count(name)) return error("register {} is read before it is defined in this group", name);
      if (!access.index.empty() || access.border.rule != Border::Rule::None)
        return error("register {} has no indices", name);
      return Done{};
    }
    if (access.index.size() != rank_of(access.operand))
      return error("{} is read with {} indices but has {} dimensions", name, access.index.size(),
                   rank_of(access.operand));
    for (const Index& at : access.index) {
      HONE_PASS(check_axes(at));
      HONE_PASS(check_reads(statement, number, at));
    }
    return Done{};
  }

  Status check_reads(const Stmt& statement, size_t number, const Index& index) const {
    std::vector<int> reads;
    index.replace_reads([&](int slot) {
      reads.push_back(slot);
      return Index(1);
    });
    for (int slot : reads) {
      if (slot < 0 || static_cast<size_t>(slot) >= number)
        return error("index {} reads access {}, which is no earlier one", index.text(), slot);
      int place = statement.accesses[static_cast<size_t>(slot)].operand;
      if (!is_integer(kernel_.place_type(place)))
        return error("index {} reads {}, which is {}; an index is an integer", index.text(), kernel_.place_name(place),
                     name_of(kernel_.place_type(place)));
    }
    return Done{};
  }

  Status check_scalar(const Stmt& statement, const Scalar& scalar) {
    if (!checked_.insert(scalar.get()).second) return Done{};
    if (scalar->kind == ScalarNode::Kind::Access) {
      if (scalar->access < 0 || static_cast<size_t>(scalar->access) >= statement.accesses.size())
        return error("its body uses access {} of {}", scalar->access, statement.accesses.size());
      int place = statement.accesses[static_cast<size_t>(scalar->access)].operand;
      if (scalar->type != kernel_.place_type(place))
        return error("its body takes {} for {}, which is {}", kernel_.place_name(place), name_of(scalar->type),
                     name_of(kernel_.place_type(place)));
    }
    if (scalar->kind == ScalarNode::Kind::IndexValue) {
      HONE_PASS(check_axes(scalar->index));
      HONE_PASS(check_reads(statement, statement.accesses.size(), scalar->index));
    }
    if (scalar->kind == ScalarNode::Kind::Operation && scalar->op == ScalarOp::Select &&
        scalar->args[0]->type != DType::Bool)
      return error("the condition of a select is {}, not bool", name_of(scalar->args[0]->type));
    for (const Scalar& arg : scalar->args) HONE_PASS(check_scalar(statement, arg));
    return Done{};
  }

  const Kernel& kernel_;
  const std::vector<const Nest*>& open_;
  const Group& group_;
  std::set<std::string> axes_;                 // with a value at the statement at hand
  std::set<std::string> registers_, reduced_;  // readable now; readable after 'then'
  std::set<std::string> defined_;
  std::set<const ScalarNode*> checked_;  // of the statement at hand; membership only
};

}  // namespace

Status validate_group(const Kernel& kernel, const std::vector<const Nest*>& open, const Group& group) {
  return GroupValidator(kernel, open, group).run();
}

}  // namespace hone::ir
