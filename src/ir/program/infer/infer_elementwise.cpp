#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

// Which element types an operator takes, and whether its result is bool.
struct Rule {
  enum class Takes { Float, Number, Integer, Logic, Any } takes;  // Logic: bool and integers
  bool yields_bool = false;
};

using Takes = Rule::Takes;

Rule rule_of(OpKind kind) {
  switch (kind) {
    case OpKind::Equal:
      return {Takes::Any, true};
    case OpKind::Less:
    case OpKind::LessOrEqual:
    case OpKind::Greater:
    case OpKind::GreaterOrEqual:
      return {Takes::Number, true};
    case OpKind::IsNaN:
      return {Takes::Float, true};
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Not:
      return {Takes::Logic};
    case OpKind::ShiftLeft:
    case OpKind::ShiftRight:
      return {Takes::Integer};
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Div:
    case OpKind::Pow:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::Mod:
    case OpKind::Neg:
    case OpKind::Abs:
    case OpKind::Sign:
    case OpKind::Relu:
    case OpKind::Clip:
    case OpKind::PRelu:
      return {Takes::Number};
    case OpKind::Where:
    case OpKind::Cast:
      return {Takes::Any};
    default:
      return {Takes::Float};  // the transcendental and rounding functions and the activations
  }
}

Status check_dtype(const Op& op, DType type) {
  bool fits = true;
  switch (rule_of(op.kind).takes) {
    case Takes::Float:
      fits = is_float(type);
      break;
    case Takes::Number:
      fits = is_float(type) || is_integer(type);
      break;
    case Takes::Integer:
      fits = is_integer(type);
      break;
    case Takes::Logic:
      fits = type == DType::Bool || is_integer(type);
      break;
    case Takes::Any:
      fits = !is_storage(type);
      break;
  }
  if (!fits) return refusal(op, "is not defined on {} tensors", name_of(type));
  if (op.kind == OpKind::Mod && is_float(type) && op.integer("fmod", 0) == 0)
    return refusal(op, "on {} needs fmod=1", name_of(type));
  return Done{};
}

Result<Types> infer_where(const Program& program, const Op& op) {
  const TensorType &condition = input_type(program, op, 0), &yes = input_type(program, op, 1),
                   &no = input_type(program, op, 2);
  if (condition.dtype != DType::Bool) return refusal(op, "its condition is {}, not bool", name_of(condition.dtype));
  HONE_PASS(expect_same_dtype(op, yes, no));
  HONE_TRY(Shape branches, broadcast(op, yes.shape, no.shape));
  HONE_TRY(Shape shape, broadcast(op, condition.shape, branches));
  return Types{{yes.dtype, shape}};
}

Result<Types> infer_cast(const Op& op, const TensorType& x) {
  auto to = dtype_named(op.text("to", ""));
  if (!to) return refusal(op, "cannot cast to '{}'", op.text("to", ""));
  std::string mode = op.text("round_mode", "up");
  if (mode != "up" && mode != "down" && mode != "nearest") return refusal(op, "unknown round_mode '{}'", mode);
  return Types{{*to, x.shape}};
}

Result<Types> infer_bit_cast(const Op& op, const TensorType& x) {
  auto to = dtype_named(op.text("to", ""));
  if (!to || *to == DType::Bool || x.dtype == DType::Bool || width_of(*to) != width_of(x.dtype))
    return refusal(op, "the bits of {} are no '{}'", name_of(x.dtype), op.text("to", ""));
  return Types{{*to, x.shape}};
}

}  // namespace

Result<Types> infer_elementwise(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  if (op.kind == OpKind::Where) return infer_where(program, op);
  if (op.kind == OpKind::Cast) return infer_cast(op, x);
  if (op.kind == OpKind::BitCast) return infer_bit_cast(op, x);
  HONE_PASS(check_dtype(op, x.dtype));
  DType result = rule_of(op.kind).yields_bool ? DType::Bool : x.dtype;
  if (op.inputs.size() == 1) return Types{{result, x.shape}};
  const TensorType& y = input_type(program, op, 1);
  HONE_PASS(expect_same_dtype(op, x, y));
  if (op.kind == OpKind::PRelu) {
    HONE_PASS(broadcasts_to(op, y.shape, x.shape));
    return Types{x};
  }
  HONE_TRY(Shape shape, broadcast(op, x.shape, y.shape));
  return Types{{result, shape}};
}

}  // namespace hone::ir
