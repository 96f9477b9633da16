#include <charconv>
#include <limits>

#include "ir/loop/names.h"
#include "ir/loop/parser.h"

namespace hone::ir::loop {
namespace {

template <typename T>
bool read_number(const std::string& text, T& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

const BinaryName* infix(std::string_view text) {
  for (const BinaryName& b : kBinaryNames)
    if (b.precedence > 0 && b.text == text) return &b;
  return nullptr;
}

}  // namespace

Result<Expr> Parser::expr(int precedence) {
  HONE_TRY(Expr left, primary());
  for (const BinaryName* op = infix(next().text); op && op->precedence >= precedence; op = infix(next().text)) {
    ++at_;
    HONE_TRY(Expr right, expr(op->precedence + 1));
    if (left->type != right->type) return wrong("the two sides of '{}' differ in type", op->text);
    left = binary(op->op, std::move(left), std::move(right));
  }
  return left;
}

Result<Expr> Parser::index_expr(const char* what) {
  HONE_TRY(Expr e, expr());
  if (e->type != VectorType{}) return wrong("{} must be a scalar i64", what);
  return e;
}

Result<Expr> Parser::mask_expr(int lanes) {
  HONE_TRY(Expr e, expr());
  if (e->type != VectorType{DType::Bool, lanes})
    return wrong("a condition over {} lanes must be bool of as many", lanes);
  return e;
}

Result<VectorType> Parser::type() {
  HONE_TRY(const std::string text, name("a type"));
  const size_t split = text.find('x');
  const auto element = dtype_named(std::string_view(text).substr(0, split));
  VectorType result;
  if (element) result.element = *element;
  const bool lanes_fit = split == std::string::npos || read_number(text.substr(split + 1), result.lanes);
  if (!element || !lanes_fit || result.lanes < 1) return wrong("'{}' is not a type such as f32 or i64x8", text);
  return result;
}

Result<Expr> Parser::number(bool negative) {
  const std::string text = (negative ? "-" : "") + std::string(tokens_[at_++].text);
  VectorType wanted{};
  const bool typed = take(":");
  if (typed) {
    HONE_TRY(wanted, type());
  }
  if (is_float(wanted.element)) {
    double value = 0;
    if (!read_number(text, value)) return wrong("'{}' is not a number", text);
    return float_constant(value, wanted);
  }
  int64_t value = 0;
  if (!read_number(text, value)) return wrong("'{}' is not an integer; a fraction names its type, as in 0.5:f32", text);
  return int_constant(value, wanted);
}

Result<Expr> Parser::size_named(const std::string& text) {
  for (size_t i = 0; i < function_.sizes.size(); ++i)
    if ("$" + function_.sizes[i] == text) return size(static_cast<int>(i));
  return wrong("there is no size '{}'", text);
}

Result<Expr> Parser::primary() {
  if (take("(")) {
    HONE_TRY(Expr inner, expr());
    HONE_PASS(expect(")"));
    return inner;
  }
  const bool negative = take("-");
  const bool special = (is("inf") || is("nan")) && tokens_[at_ + 1].text == ":";
  if (next().kind == Token::Kind::Number || special) return number(negative);
  if (negative) return wrong("'-' before '{}': write neg(…)", next().text);
  HONE_TRY(const std::string word, name("an expression"));
  if (word[0] == '$') return size_named(word);
  if (is("[")) return load(word);
  if (is("(")) return call(word);
  const auto known = types_.find(word);
  if (known == types_.end()) return wrong("variable '{}' is used before it is assigned", word);
  return variable(word, known->second);
}

Result<Expr> Parser::load(const std::string& target) {
  HONE_TRY(const int place, buffer(target));
  HONE_PASS(expect("["));
  HONE_TRY(const Expr offset, index_expr("an offset"));
  int lanes = 1;
  Expr mask;
  bool alone = false;
  if (take(";")) {
    HONE_TRY(lanes, count("a number of lanes"));
    alone = take("alone");
    if (!alone && take("where")) {
      HONE_TRY(mask, mask_expr(lanes));
    }
  }
  HONE_PASS(expect("]"));
  const DType type = function_.buffers[static_cast<size_t>(place)].dtype;
  return alone ? load_alone(place, type, lanes, offset) : ir::loop::load(place, type, lanes, offset, mask);
}

Result<Expr> Parser::gather() {
  HONE_PASS(expect("("));
  HONE_TRY(const std::string target, name("a buffer"));
  HONE_TRY(const int place, buffer(target));
  HONE_PASS(expect(","));
  HONE_TRY(const Expr offsets, expr());
  if (offsets->type.element != DType::I64) return wrong("offsets of a gather must be i64");
  Expr mask;
  if (take(",")) {
    HONE_TRY(mask, mask_expr(offsets->type.lanes));
  }
  HONE_PASS(expect(")"));
  return ir::loop::gather(place, function_.buffers[static_cast<size_t>(place)].dtype, offsets, mask);
}

Result<std::vector<Expr>> Parser::arguments() {
  HONE_PASS(expect("("));
  std::vector<Expr> args;
  do {
    HONE_TRY(Expr e, expr());
    args.push_back(std::move(e));
  } while (take(","));
  HONE_PASS(expect(")"));
  return args;
}

// ramp(n), broadcast(x, n), tail_mask(x, n), extract(x, n): the last argument is a plain number.
Result<Expr> Parser::call_with_count(const std::string& word) {
  HONE_PASS(expect("("));
  Expr operand;
  if (word != "ramp") {
    HONE_TRY(operand, expr());
    HONE_PASS(expect(","));
  }
  HONE_TRY(const int n, count("a number"));
  HONE_PASS(expect(")"));
  if (word == "extract") {
    if (n >= operand->type.lanes) return wrong("lane {} of {}", n, operand->type.lanes);
    return extract(operand, n);
  }
  if (n < 1) return wrong("{} of {} lanes", word, n);
  if (word == "ramp") return ramp(n);
  if (operand->type.lanes != 1) return wrong("{} of a vector", word);
  if (word == "broadcast") return broadcast(operand, n);
  if (operand->type != VectorType{}) return wrong("the count of a tail_mask must be i64");
  return tail_mask(operand, n);
}

Result<Expr> Parser::shuffle() {
  HONE_PASS(expect("("));
  HONE_TRY(const Expr a, expr());
  HONE_PASS(expect(","));
  HONE_TRY(const Expr b, expr());
  if (a->type != b->type) return wrong("the two vectors of a shuffle differ in type");
  std::vector<int> lanes;
  while (take(",")) {
    HONE_TRY(const int lane, count("a lane"));
    if (lane >= 2 * a->type.lanes) return wrong("lane {} of {}", lane, 2 * a->type.lanes);
    lanes.push_back(lane);
  }
  HONE_PASS(expect(")"));
  if (lanes.size() < 2 || a->type.lanes < 2) return wrong("a shuffle takes vectors and gives a vector");
  return ir::loop::shuffle(a, b, std::move(lanes));
}

Result<Expr> Parser::call(const std::string& word) {
  if (word == "gather") return gather();
  if (word == "shuffle") return shuffle();
  if (word == "ramp" || word == "broadcast" || word == "tail_mask" || word == "extract") return call_with_count(word);
  HONE_TRY(const std::vector<Expr> args, arguments());
  const auto same = [&](size_t n, size_t from = 0) {
    if (args.size() != n) return false;
    for (size_t i = from; i < n; ++i)
      if (args[i]->type != args[from]->type) return false;
    return true;
  };
  for (size_t i = 0; i < kUnaryNames.size(); ++i)
    if (word == kUnaryNames[i] && same(1)) return unary(static_cast<UnaryOp>(i), args[0]);
  for (const BinaryName& b : kBinaryNames)
    if (b.precedence == 0 && word == b.text && same(2)) return binary(b.op, args[0], args[1]);
  for (size_t i = 0; i < kReductionNames.size(); ++i)
    if (word == kReductionNames[i] && same(1))
      return reduce(static_cast<ExprKind>(static_cast<size_t>(ExprKind::ReduceAdd) + i), args[0]);
  if (word == "fma" && same(3) && is_float(args[0]->type.element)) return fma(args[0], args[1], args[2]);
  if (word == "select" && same(3, 1) && args[0]->type == VectorType{DType::Bool, args[1]->type.lanes})
    return select(args[0], args[1], args[2]);
  if (const auto element = dtype_named(word); element && same(1)) return convert(args[0], *element);
  if (const auto element = word.starts_with("as_") ? dtype_named(word.substr(3)) : std::nullopt;
      element && same(1) && size_of(*element) == size_of(args[0]->type.element) && *element != DType::Bool &&
      args[0]->type.element != DType::Bool)
    return bitcast(args[0], *element);
  return wrong("'{}' is unknown, or does not take these operands", word);
}

}  // namespace hone::ir::loop
