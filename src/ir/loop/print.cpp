#include <cmath>

#include "ir/loop/loop.h"
#include "ir/loop/names.h"

namespace hone::ir::loop {
namespace {

std::string text(VectorType t) {
  return t.lanes == 1 ? std::string(name_of(t.element)) : fmt::format("{}x{}", name_of(t.element), t.lanes);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string s = fmt::format("{}", value);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

class Printer {
 public:
  explicit Printer(const Function& function) : function_(function) {}

  std::string run() {
    header();
    block(function_.body, 1);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  void header() {
    out_ += fmt::format("function {}(sizes", function_.name);
    const char* separator = " ";
    for (const std::string& name : function_.sizes) {
      out_ += separator + name;
      separator = ", ";
    }
    out_ += "; buffers";
    separator = " ";
    for (const LoopBuffer& b : function_.buffers) {
      out_ += fmt::format("{}{}: {}", separator, b.name, name_of(b.dtype));
      if (b.scratch) out_ += fmt::format(" at {}", expr(b.byte_offset));
      separator = ", ";
    }
    out_ += ") {\n";
  }

  std::string buffer(int number) const {
    const bool known = number >= 0 && number < static_cast<int>(function_.buffers.size());
    return known ? function_.buffers[static_cast<size_t>(number)].name : fmt::format("buffer{}", number);
  }

  void line(int depth, const std::string& s) {
    out_.append(static_cast<size_t>(depth) * 2, ' ');
    out_ += s;
    out_ += '\n';
  }

  void block(const Block& statements, int depth) {
    for (const Statement& s : statements) statement(s, depth);
  }

  void statement(const Statement& s, int depth) {
    switch (s.kind) {
      case StmtKind::Assign:
        return line(depth, fmt::format("{} = {}", s.variable, expr(s.args[0])));
      case StmtKind::Store: {
        const std::string where = s.args.size() > 2 ? " where " + expr(s.args[2]) : "";
        const char* how = s.stream ? "stream " : s.alone ? "alone " : "";
        return line(depth,
                    fmt::format("{}{}[{}] = {}{}", how, buffer(s.buffer), expr(s.args[0]), expr(s.args[1]), where));
      }
      case StmtKind::For:
        line(depth,
             fmt::format("for {} in {} .. {} by {} {{", s.variable, expr(s.args[0]), expr(s.args[1]), expr(s.args[2])));
        block(s.body, depth + 1);
        return line(depth, "}");
      case StmtKind::If:
        line(depth, fmt::format("if {} {{", expr(s.args[0])));
        block(s.body, depth + 1);
        if (!s.otherwise.empty()) {
          line(depth, "} else {");
          block(s.otherwise, depth + 1);
        }
        return line(depth, "}");
      case StmtKind::Part:
        line(depth, "part {");
        block(s.body, depth + 1);
        return line(depth, "}");
      case StmtKind::Prefetch:
        return line(depth, fmt::format("prefetch {}[{}]", buffer(s.buffer), expr(s.args[0])));
    }
  }

  std::string call(std::string_view name, const ExprNode& e) const {
    std::string s = fmt::format("{}(", name);
    for (size_t i = 0; i < e.args.size(); ++i) s += (i > 0 ? ", " : "") + expr(e.args[i]);
    return s + ")";
  }

  std::string binary(const ExprNode& e, int outer) const {
    const BinaryName& op = name_of(e.binary);
    if (op.precedence == 0) return call(op.text, e);
    const Expr& right = e.args[1];
    const bool minus = e.binary == BinaryOp::Add && e.type == VectorType{} && right->kind == ExprKind::IntConstant &&
                       right->integer < 0 && right->integer > INT64_MIN;
    const std::string s =
        minus ? fmt::format("{} - {}", expr(e.args[0], op.precedence), -right->integer)
              : fmt::format("{} {} {}", expr(e.args[0], op.precedence), op.text, expr(right, op.precedence + 1));
    return op.precedence < outer ? "(" + s + ")" : s;
  }

  std::string load(const ExprNode& e) const {
    const std::string offset = expr(e.args[0]);
    if (e.args.size() > 1)
      return fmt::format("{}[{}; {} where {}]", buffer(e.buffer), offset, e.type.lanes, expr(e.args[1]));
    if (e.type.lanes > 1 || e.alone)
      return fmt::format("{}[{}; {}{}]", buffer(e.buffer), offset, e.type.lanes, e.alone ? " alone" : "");
    return fmt::format("{}[{}]", buffer(e.buffer), offset);
  }

  std::string gather(const ExprNode& e) const {
    const std::string mask = e.args.size() > 1 ? ", " + expr(e.args[1]) : "";
    return fmt::format("gather({}, {}{})", buffer(e.buffer), expr(e.args[0]), mask);
  }

  std::string size(const ExprNode& e) const {
    const bool known = e.integer >= 0 && e.integer < static_cast<int64_t>(function_.sizes.size());
    return "$" + (known ? function_.sizes[static_cast<size_t>(e.integer)] : std::to_string(e.integer));
  }

  // Bare digits are a scalar i64; every other constant names its type.
  std::string expr(const Expr& root, int outer = 0) const {
    const ExprNode& e = *root;
    switch (e.kind) {
      case ExprKind::IntConstant:
        if (e.type == VectorType{}) return std::to_string(e.integer);
        return fmt::format("{}:{}", e.integer, text(e.type));
      case ExprKind::FloatConstant:
        return fmt::format("{}:{}", number_text(e.number), text(e.type));
      case ExprKind::Variable:
        return e.name;
      case ExprKind::Size:
        return size(e);
      case ExprKind::Unary:
        return call(name_of(e.unary), e);
      case ExprKind::Binary:
        return binary(e, outer);
      case ExprKind::Fma:
        return call("fma", e);
      case ExprKind::Select:
        return call("select", e);
      case ExprKind::Load:
        return load(e);
      case ExprKind::Gather:
        return gather(e);
      case ExprKind::Broadcast:
        return fmt::format("broadcast({}, {})", expr(e.args[0]), e.type.lanes);
      case ExprKind::Ramp:
        return fmt::format("ramp({})", e.type.lanes);
      case ExprKind::TailMask:
        return fmt::format("tail_mask({}, {})", expr(e.args[0]), e.type.lanes);
      case ExprKind::Convert:
        return call(name_of(e.type.element), e);
      case ExprKind::Bitcast:
        return call(fmt::format("as_{}", name_of(e.type.element)), e);
      case ExprKind::ReduceAdd:
      case ExprKind::ReduceMul:
      case ExprKind::ReduceMax:
      case ExprKind::ReduceMin:
        return call(name_of_reduction(e.kind), e);
      case ExprKind::Extract:
        return fmt::format("extract({}, {})", expr(e.args[0]), e.integer);
      case ExprKind::Shuffle:
        return fmt::format("shuffle({}, {}, {})", expr(e.args[0]), expr(e.args[1]), fmt::join(e.lanes, ", "));
    }
    return {};
  }

  const Function& function_;
  std::string out_;
};

}  // namespace

std::string text_of(const Function& function) {
  return Printer(function).run();
}

}  // namespace hone::ir::loop
