#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "ir/loop/loop.h"

namespace hone::ir::loop {
namespace {

constexpr VectorType kIndex{DType::I64, 1};

std::string text(VectorType t) {
  return t.lanes == 1 ? std::string(name_of(t.element)) : fmt::format("{}x{}", name_of(t.element), t.lanes);
}

// Walks statements in order of execution. `assigned_` holds what every path to here has assigned: a loop may run
// zero times and a branch may go either way.
class Validator {
 public:
  explicit Validator(const Function& function) : function_(function) {
    for (const char* name : {"task_begin", "task_end"}) {
      types_[name] = kIndex;
      assigned_.insert(name);
    }
  }

  Status run() {
    HONE_PASS(buffers());
    return block(function_.body);
  }

 private:
  template <typename... Args>
  Error wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return error("loop function '{}': {}", function_.name, fmt::format(format, std::forward<Args>(args)...));
  }

  Status buffers() {
    std::set<std::string> names;
    bool scratch_seen = false;
    for (const LoopBuffer& b : function_.buffers) {
      if (!names.insert(b.name).second) return wrong("two buffers are called '{}'", b.name);
      if (scratch_seen && !b.scratch) return wrong("parameter '{}' comes after a scratch buffer", b.name);
      scratch_seen |= b.scratch;
      if (!b.scratch) continue;
      if (!b.byte_offset) return wrong("scratch buffer '{}' has no byte offset", b.name);
      HONE_PASS(expr(b.byte_offset));
      if (b.byte_offset->type != kIndex) return wrong("the byte offset of '{}' is not a scalar i64", b.name);
    }
    std::set<std::string> sizes;
    for (const std::string& name : function_.sizes)
      if (!sizes.insert(name).second) return wrong("two sizes are called '{}'", name);
    return Done{};
  }

  Status block(const Block& statements) {
    for (const Statement& s : statements) HONE_PASS(statement(s));
    return Done{};
  }

  Status statement(const Statement& s) {
    seen_.clear();
    for (const Expr& e : s.args) HONE_PASS(expr(e));
    switch (s.kind) {
      case StmtKind::Assign:
        return declare(s.variable, s.args[0]->type);
      case StmtKind::Store:
        return store(s);
      case StmtKind::For:
        return loop(s);
      case StmtKind::If:
        return branch(s);
      case StmtKind::Part:
        return part(s);
      case StmtKind::Prefetch:
        return buffer(s.buffer, "prefetch");
    }
    return Done{};
  }

  Status declare(const std::string& name, VectorType type) {
    if (name == "task_begin" || name == "task_end") return wrong("'{}' cannot be assigned", name);
    if (loops_.contains(name)) return wrong("loop variable '{}' is assigned inside its loop", name);
    if (outside_.contains(name)) return wrong("a part assigns '{}', which is assigned before it", name);
    const auto [it, fresh] = types_.emplace(name, type);
    if (!fresh && it->second != type)
      return wrong("variable '{}' is {} and is assigned a {}", name, text(it->second), text(type));
    assigned_.insert(name);
    return Done{};
  }

  Status buffer(int number, const char* use) const {
    if (number < 0 || number >= static_cast<int>(function_.buffers.size()))
      return wrong("{} of buffer {}, of {}", use, number, function_.buffers.size());
    return Done{};
  }

  Status element(int number, DType type, const char* use) const {
    HONE_PASS(buffer(number, use));
    const LoopBuffer& b = function_.buffers[static_cast<size_t>(number)];
    if (b.dtype != type) return wrong("{} of {} in '{}', which holds {}", use, name_of(type), b.name, name_of(b.dtype));
    return Done{};
  }

  Status store(const Statement& s) const {
    if (s.args[0]->type != kIndex) return wrong("the offset of a store is not a scalar i64");
    return element(s.buffer, s.args[1]->type.element, "store");
  }

  Status loop(const Statement& s) {
    HONE_PASS(declare(s.variable, kIndex));
    const std::set<std::string> before = assigned_;
    loops_.insert(s.variable);
    HONE_PASS(block(s.body));
    loops_.erase(s.variable);
    assigned_ = before;
    assigned_.erase(s.variable);
    return Done{};
  }

  Status branch(const Statement& s) {
    if (s.args[0]->type != VectorType({DType::Bool, 1})) return wrong("a branch on a {}", text(s.args[0]->type));
    const std::set<std::string> before = assigned_;
    HONE_PASS(block(s.body));
    std::set<std::string> then = std::exchange(assigned_, before);
    HONE_PASS(block(s.otherwise));
    std::erase_if(assigned_, [&](const std::string& name) { return !then.contains(name); });
    return Done{};
  }

  Status part(const Statement& s) {
    const std::set<std::string> before = assigned_;
    std::set<std::string> outside = std::exchange(outside_, assigned_);
    HONE_PASS(block(s.body));
    assigned_ = before;
    outside_ = std::move(outside);
    return Done{};
  }

  // Types that builders have checked are not checked again; what needs the function is.
  Status expr(const Expr& root) {
    if (!seen_.insert(root.get()).second) return Done{};
    const ExprNode& e = *root;
    if (e.type.lanes < 1) return wrong("an expression of {} lanes", e.type.lanes);
    for (const Expr& a : e.args) {
      if (!a) return wrong("an expression without an operand");
      HONE_PASS(expr(a));
    }
    switch (e.kind) {
      case ExprKind::Variable:
        return use(e);
      case ExprKind::Size:
        if (e.integer < 0 || e.integer >= static_cast<int64_t>(function_.sizes.size()))
          return wrong("size {} of {}", e.integer, function_.sizes.size());
        return Done{};
      case ExprKind::Load:
        return element(e.buffer, e.type.element, "load");
      case ExprKind::Gather:
        return element(e.buffer, e.type.element, "gather");
      case ExprKind::Unary:
        return unary(e);
      case ExprKind::Binary:
        return binary(e);
      case ExprKind::IntConstant:
      case ExprKind::FloatConstant:
      case ExprKind::Fma:
      case ExprKind::Select:
      case ExprKind::Broadcast:
      case ExprKind::Ramp:
      case ExprKind::TailMask:
      case ExprKind::Convert:
      case ExprKind::Bitcast:
      case ExprKind::ReduceAdd:
      case ExprKind::ReduceMul:
      case ExprKind::ReduceMax:
      case ExprKind::ReduceMin:
      case ExprKind::Extract:
      case ExprKind::Shuffle:
        return Done{};
    }
    return Done{};
  }

  Status use(const ExprNode& e) const {
    if (!assigned_.contains(e.name)) return wrong("variable '{}' may be used before it is assigned", e.name);
    const VectorType type = types_.at(e.name);
    if (type != e.type) return wrong("variable '{}' is {} and is used as {}", e.name, text(type), text(e.type));
    return Done{};
  }

  Status unary(const ExprNode& e) const {
    const bool real = is_float(e.type.element);
    switch (e.unary) {
      case UnaryOp::Neg:
      case UnaryOp::Abs:
        if (e.type.element == DType::Bool) return wrong("neg or abs of bool");
        return Done{};
      case UnaryOp::Sqrt:
      case UnaryOp::Floor:
      case UnaryOp::Ceil:
      case UnaryOp::RoundEven:
      case UnaryOp::Trunc:
        if (!real) return wrong("rounding or root of {}", text(e.type));
        return Done{};
      case UnaryOp::Not:
        if (real) return wrong("not of {}", text(e.type));
        return Done{};
    }
    return Done{};
  }

  Status binary(const ExprNode& e) const {
    const DType type = e.args[0]->type.element;
    switch (e.binary) {
      case BinaryOp::Add:
      case BinaryOp::Sub:
      case BinaryOp::Mul:
      case BinaryOp::Div:
      case BinaryOp::Rem:
        if (type == DType::Bool) return wrong("arithmetic on bool");
        return Done{};
      case BinaryOp::FloorDiv:
      case BinaryOp::Mod:
      case BinaryOp::Shl:
      case BinaryOp::Shr:
        if (!is_integer(type)) return wrong("integer operation on {}", name_of(type));
        return Done{};
      case BinaryOp::And:
      case BinaryOp::Or:
      case BinaryOp::Xor:
        if (is_float(type)) return wrong("bit operation on {}", name_of(type));
        return Done{};
      case BinaryOp::Scale:
        if (!is_float(type)) return wrong("scale of {}", name_of(type));
        return Done{};
      case BinaryOp::Min:
      case BinaryOp::Max:
      case BinaryOp::Less:
      case BinaryOp::LessEqual:
      case BinaryOp::Equal:
      case BinaryOp::NotEqual:
        return Done{};
    }
    return Done{};
  }

  const Function& function_;
  std::map<std::string, VectorType> types_;
  std::set<std::string> assigned_, loops_;
  std::set<std::string> outside_;             // assigned before the part at hand
  std::unordered_set<const ExprNode*> seen_;  // in this statement: shared operands are walked once
};

}  // namespace

Status validate(const Function& function) {
  return Validator(function).run();
}

}  // namespace hone::ir::loop
