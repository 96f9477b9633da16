#include "ir/loop/fold.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace hone::ir::loop {
namespace {

bool is_index(const Expr& e) {
  return e->type == VectorType{DType::I64, 1};
}

std::optional<int64_t> constant_of(const Expr& e) {
  if (e->kind == ExprKind::IntConstant) return e->integer;
  return std::nullopt;
}

bool is(const Expr& e, int64_t value) {
  return constant_of(e) == value;
}

bool is_sum_with_constant(const Expr& e) {
  return e->kind == ExprKind::Binary && e->binary == BinaryOp::Add && constant_of(e->args[1]);
}

bool is_product_with_constant(const Expr& e) {
  return e->kind == ExprKind::Binary && e->binary == BinaryOp::Mul && constant_of(e->args[1]);
}

std::optional<int64_t> divide(BinaryOp op, int64_t x, int64_t y) {
  if (y == 0 || (y == -1 && x == std::numeric_limits<int64_t>::min())) return std::nullopt;
  const bool off_by_one = x % y != 0 && (x % y < 0) != (y < 0);
  if (op == BinaryOp::Div) return x / y;
  if (op == BinaryOp::Rem) return x % y;
  if (op == BinaryOp::FloorDiv) return x / y - (off_by_one ? 1 : 0);
  return x % y + (off_by_one ? y : 0);
}

std::optional<int64_t> shift(BinaryOp op, int64_t x, int64_t y) {
  if (y < 0 || y > 63) return std::nullopt;
  return op == BinaryOp::Shl ? static_cast<int64_t>(static_cast<uint64_t>(x) << y) : x >> y;
}

std::optional<int64_t> compute(BinaryOp op, int64_t x, int64_t y) {
  int64_t r = 0;
  switch (op) {
    case BinaryOp::Add:
      return __builtin_add_overflow(x, y, &r) ? std::nullopt : std::optional(r);
    case BinaryOp::Sub:
      return __builtin_sub_overflow(x, y, &r) ? std::nullopt : std::optional(r);
    case BinaryOp::Mul:
      return __builtin_mul_overflow(x, y, &r) ? std::nullopt : std::optional(r);
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
    case BinaryOp::Rem:
      return divide(op, x, y);
    case BinaryOp::Min:
      return std::min(x, y);
    case BinaryOp::Max:
      return std::max(x, y);
    case BinaryOp::And:
      return x & y;
    case BinaryOp::Or:
      return x | y;
    case BinaryOp::Xor:
      return x ^ y;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      return shift(op, x, y);
    case BinaryOp::Scale:
      return std::nullopt;
    case BinaryOp::Less:
      return x < y;
    case BinaryOp::LessEqual:
      return x <= y;
    case BinaryOp::Equal:
      return x == y;
    case BinaryOp::NotEqual:
      return x != y;
  }
  return std::nullopt;
}

Expr fold_constants(BinaryOp op, int64_t x, int64_t y) {
  const std::optional<int64_t> value = compute(op, x, y);
  if (!value) return nullptr;
  const bool compares = op >= BinaryOp::Less;
  return int_constant(*value, {compares ? DType::Bool : DType::I64, 1});
}

Expr fold_add(const Expr& a, const Expr& b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (constant_of(a)) return binary(BinaryOp::Add, b, a);
  if (is_sum_with_constant(a))
    if (const auto c = constant_of(b))
      if (const auto sum = compute(BinaryOp::Add, a->args[1]->integer, *c))
        return binary(BinaryOp::Add, a->args[0], int_constant(*sum));
  if (constant_of(b)) return nullptr;
  if (is_sum_with_constant(a)) return binary(BinaryOp::Add, binary(BinaryOp::Add, a->args[0], b), a->args[1]);
  if (is_sum_with_constant(b)) return binary(BinaryOp::Add, binary(BinaryOp::Add, a, b->args[0]), b->args[1]);
  return nullptr;
}

Expr fold_sub(const Expr& a, const Expr& b) {
  if (a == b) return int_constant(0);
  if (const auto c = constant_of(b))
    if (*c != std::numeric_limits<int64_t>::min()) return binary(BinaryOp::Add, a, int_constant(-*c));
  if (is_sum_with_constant(a)) return binary(BinaryOp::Add, binary(BinaryOp::Sub, a->args[0], b), a->args[1]);
  return nullptr;
}

Expr fold_mul(const Expr& a, const Expr& b) {
  if (is(a, 0) || is(b, 1)) return a;
  if (is(b, 0) || is(a, 1)) return b;
  if (constant_of(a)) return binary(BinaryOp::Mul, b, a);
  const auto c = constant_of(b);
  if (c && is_product_with_constant(a))
    if (const auto product = compute(BinaryOp::Mul, a->args[1]->integer, *c))
      return binary(BinaryOp::Mul, a->args[0], int_constant(*product));
  if (c && is_sum_with_constant(a))
    if (const auto product = compute(BinaryOp::Mul, a->args[1]->integer, *c))
      return binary(BinaryOp::Add, binary(BinaryOp::Mul, a->args[0], b), int_constant(*product));
  return nullptr;
}

}  // namespace

Expr fold_unary(UnaryOp op, const Expr& a) {
  if (a->type == VectorType{DType::Bool, 1} && constant_of(a) && op == UnaryOp::Not)
    return int_constant(a->integer == 0, a->type);
  if (!is_index(a) || !constant_of(a) || a->integer == std::numeric_limits<int64_t>::min()) return nullptr;
  if (op == UnaryOp::Neg) return int_constant(-a->integer);
  if (op == UnaryOp::Abs) return int_constant(std::abs(a->integer));
  return nullptr;
}

Expr fold_binary(BinaryOp op, const Expr& a, const Expr& b) {
  if (a->type == VectorType{DType::Bool, 1} && (op == BinaryOp::And || op == BinaryOp::Or)) {
    const int64_t neutral = op == BinaryOp::And ? 1 : 0;
    if (const auto c = constant_of(a)) return *c == neutral ? b : a;
    if (const auto c = constant_of(b)) return *c == neutral ? a : b;
  }
  if (!is_index(a)) return nullptr;
  if (constant_of(a) && constant_of(b)) return fold_constants(op, a->integer, b->integer);
  if (op == BinaryOp::Add) return fold_add(a, b);
  if (op == BinaryOp::Sub) return fold_sub(a, b);
  if (op == BinaryOp::Mul) return fold_mul(a, b);
  if ((op == BinaryOp::Div || op == BinaryOp::FloorDiv) && is(b, 1)) return a;
  if ((op == BinaryOp::Mod || op == BinaryOp::Rem) && is(b, 1)) return int_constant(0);
  if ((op == BinaryOp::Min || op == BinaryOp::Max) && a == b) return a;
  if ((op == BinaryOp::Shl || op == BinaryOp::Shr) && is(b, 0)) return a;
  return nullptr;
}

Expr fold_select(const Expr& condition, const Expr& a, const Expr& b) {
  if (condition->type.lanes != 1 || !constant_of(condition)) return nullptr;
  return condition->integer != 0 ? a : b;
}

}  // namespace hone::ir::loop
