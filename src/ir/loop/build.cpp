// Nodes whose types are settled by their arguments alone. Arithmetic that folds lives in fold.cpp.
#include <utility>

#include "ir/loop/fold.h"
#include "ir/loop/loop.h"

namespace hone::ir::loop {
namespace {

Expr make(ExprNode node) {
  return std::make_shared<const ExprNode>(std::move(node));
}

constexpr VectorType kIndex{DType::I64, 1};

bool is_comparison(BinaryOp op) {
  return op == BinaryOp::Less || op == BinaryOp::LessEqual || op == BinaryOp::Equal || op == BinaryOp::NotEqual;
}

void check_mask(const Expr& mask, int lanes) {
  HONE_CHECK(!mask || mask->type == VectorType({DType::Bool, lanes}), "a mask has one Bool per lane");
}

}  // namespace

Expr int_constant(int64_t value, VectorType type) {
  HONE_CHECK(!is_float(type.element), "an integer constant cannot be {}", name_of(type.element));
  return make({.kind = ExprKind::IntConstant, .type = type, .integer = value});
}

Expr float_constant(double value, VectorType type) {
  HONE_CHECK(is_float(type.element), "a float constant cannot be {}", name_of(type.element));
  return make({.kind = ExprKind::FloatConstant, .type = type, .number = value});
}

Expr variable(std::string name, VectorType type) {
  return make({.kind = ExprKind::Variable, .type = type, .name = std::move(name)});
}

Expr size(int number) {
  return make({.kind = ExprKind::Size, .type = kIndex, .integer = number});
}

Expr unary(UnaryOp op, Expr a) {
  if (Expr folded = fold_unary(op, a)) return folded;
  const VectorType type = a->type;
  return make({.kind = ExprKind::Unary, .type = type, .unary = op, .args = {std::move(a)}});
}

Expr binary(BinaryOp op, Expr a, Expr b) {
  HONE_CHECK(a->type == b->type, "operands of one operation have types {}x{} and {}x{}", name_of(a->type.element),
             a->type.lanes, name_of(b->type.element), b->type.lanes);
  if (Expr folded = fold_binary(op, a, b)) return folded;
  const VectorType type = is_comparison(op) ? VectorType{DType::Bool, a->type.lanes} : a->type;
  return make({.kind = ExprKind::Binary, .type = type, .binary = op, .args = {std::move(a), std::move(b)}});
}

Expr fma(Expr a, Expr b, Expr c) {
  const VectorType type = a->type;
  HONE_CHECK(b->type == type && c->type == type, "operands of fma differ in type");
  HONE_CHECK(is_float(type.element), "fma of {}", name_of(type.element));
  return make({.kind = ExprKind::Fma, .type = type, .args = {std::move(a), std::move(b), std::move(c)}});
}

Expr select(Expr condition, Expr a, Expr b) {
  const VectorType type = a->type;
  HONE_CHECK(b->type == type, "the two sides of a select differ in type");
  HONE_CHECK(condition->type == VectorType({DType::Bool, type.lanes}), "a select has one Bool per lane");
  if (Expr folded = fold_select(condition, a, b)) return folded;
  return make({.kind = ExprKind::Select, .type = type, .args = {std::move(condition), std::move(a), std::move(b)}});
}

Expr load(int buffer, DType element, int lanes, Expr offset, Expr mask) {
  HONE_CHECK(offset->type == kIndex, "an offset is a scalar I64");
  check_mask(mask, lanes);
  ExprNode node{.kind = ExprKind::Load, .type = {element, lanes}, .buffer = buffer, .args = {std::move(offset)}};
  if (mask) node.args.push_back(std::move(mask));
  return make(std::move(node));
}

Expr load_alone(int buffer, DType element, int lanes, Expr offset) {
  HONE_CHECK(offset->type == kIndex, "an offset is a scalar I64");
  return make(
      {.kind = ExprKind::Load, .type = {element, lanes}, .buffer = buffer, .args = {std::move(offset)}, .alone = true});
}

Expr gather(int buffer, DType element, Expr offsets, Expr mask) {
  HONE_CHECK(offsets->type.element == DType::I64, "offsets of a gather are I64");
  const int lanes = offsets->type.lanes;
  check_mask(mask, lanes);
  ExprNode node{.kind = ExprKind::Gather, .type = {element, lanes}, .buffer = buffer, .args = {std::move(offsets)}};
  if (mask) node.args.push_back(std::move(mask));
  return make(std::move(node));
}

Expr broadcast(Expr scalar, int lanes) {
  if (scalar->type.lanes == lanes) return scalar;
  HONE_CHECK(scalar->type.lanes == 1, "only a scalar can be broadcast");
  if (lanes == 1) return scalar;
  const VectorType type{scalar->type.element, lanes};
  if (scalar->kind == ExprKind::IntConstant) return int_constant(scalar->integer, type);
  if (scalar->kind == ExprKind::FloatConstant) return float_constant(scalar->number, type);
  return make({.kind = ExprKind::Broadcast, .type = type, .args = {std::move(scalar)}});
}

Expr ramp(int lanes) {
  if (lanes == 1) return int_constant(0);
  return make({.kind = ExprKind::Ramp, .type = {DType::I64, lanes}});
}

Expr tail_mask(Expr count, int lanes) {
  HONE_CHECK(count->type == kIndex, "the count of a tail mask is a scalar I64");
  return make({.kind = ExprKind::TailMask, .type = {DType::Bool, lanes}, .args = {std::move(count)}});
}

Expr convert(Expr a, DType element) {
  if (a->type.element == element) return a;
  const VectorType type{element, a->type.lanes};
  return make({.kind = ExprKind::Convert, .type = type, .args = {std::move(a)}});
}

Expr bitcast(Expr a, DType element) {
  if (a->type.element == element) return a;
  HONE_CHECK(size_of(a->type.element) == size_of(element) && element != DType::Bool && a->type.element != DType::Bool,
             "bits of {} are not bits of {}", name_of(a->type.element), name_of(element));
  const VectorType type{element, a->type.lanes};
  return make({.kind = ExprKind::Bitcast, .type = type, .args = {std::move(a)}});
}

Expr reduce(ExprKind kind, Expr vector) {
  HONE_CHECK(kind == ExprKind::ReduceAdd || kind == ExprKind::ReduceMul || kind == ExprKind::ReduceMax ||
                 kind == ExprKind::ReduceMin,
             "not a reduction");
  if (vector->type.lanes == 1) return vector;
  const VectorType type{vector->type.element, 1};
  return make({.kind = kind, .type = type, .args = {std::move(vector)}});
}

Expr extract(Expr vector, int lane) {
  HONE_CHECK(lane >= 0 && lane < vector->type.lanes, "lane {} of {}", lane, vector->type.lanes);
  if (vector->type.lanes == 1) return vector;
  const VectorType type{vector->type.element, 1};
  return make({.kind = ExprKind::Extract, .type = type, .integer = lane, .args = {std::move(vector)}});
}

Expr shuffle(Expr a, Expr b, std::vector<int> lanes) {
  HONE_CHECK(a->type == b->type, "the two vectors of a shuffle differ in type");
  for (int lane : lanes) HONE_CHECK(lane >= 0 && lane < 2 * a->type.lanes, "lane {} of {}", lane, 2 * a->type.lanes);
  const VectorType type{a->type.element, static_cast<int>(lanes.size())};
  return make(
      {.kind = ExprKind::Shuffle, .type = type, .args = {std::move(a), std::move(b)}, .lanes = std::move(lanes)});
}

Statement assign(std::string name, Expr value) {
  return {.kind = StmtKind::Assign, .variable = std::move(name), .args = {std::move(value)}};
}

Statement store(int buffer, Expr offset, Expr value, Expr mask) {
  HONE_CHECK(offset->type == kIndex, "an offset is a scalar I64");
  check_mask(mask, value->type.lanes);
  Statement s{.kind = StmtKind::Store, .buffer = buffer, .args = {std::move(offset), std::move(value)}};
  if (mask) s.args.push_back(std::move(mask));
  return s;
}

Statement stream(int buffer, Expr offset, Expr value) {
  Statement s = store(buffer, std::move(offset), std::move(value));
  s.stream = true;
  return s;
}

Statement store_alone(int buffer, Expr offset, Expr value) {
  Statement s = store(buffer, std::move(offset), std::move(value));
  s.alone = true;
  return s;
}

Statement for_loop(std::string name, Expr lo, Expr hi, Expr step, Block body) {
  HONE_CHECK(lo->type == kIndex && hi->type == kIndex && step->type == kIndex, "loop bounds are scalar I64");
  return {.kind = StmtKind::For,
          .variable = std::move(name),
          .args = {std::move(lo), std::move(hi), std::move(step)},
          .body = std::move(body)};
}

Statement if_else(Expr condition, Block then, Block otherwise) {
  HONE_CHECK(condition->type == VectorType({DType::Bool, 1}), "a branch needs a scalar Bool");
  return {
      .kind = StmtKind::If, .args = {std::move(condition)}, .body = std::move(then), .otherwise = std::move(otherwise)};
}

Statement part(Block body) {
  return {.kind = StmtKind::Part, .body = std::move(body)};
}

Statement prefetch(int buffer, Expr offset) {
  HONE_CHECK(offset->type == kIndex, "an offset is a scalar I64");
  return {.kind = StmtKind::Prefetch, .buffer = buffer, .args = {std::move(offset)}};
}

}  // namespace hone::ir::loop
