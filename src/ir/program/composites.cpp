#include <cmath>
#include <numbers>

#include "ir/program/body_builder.h"
#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

using Ids = std::vector<ValueId>;

ValueId converted(BodyBuilder& body, ValueId x, DType type) {
  return body.type(x).dtype == type ? x : body.add(OpKind::Cast, {x}, {{"to", std::string(name_of(type))}});
}

// Inputs of the body: those of the op that are given. Absent ones stay kAbsent in the list. Halves are computed in f32, so
// that only the result is rounded to few bits.
Ids open(BodyBuilder& body, const Program& program, const Op& op) {
  Ids ids(op.inputs.size(), kAbsent);
  for (size_t k = 0; k < op.inputs.size(); ++k)
    if (has_input(op, k)) ids[k] = body.input(fmt::format("x{}", k).c_str(), input_type(program, op, k));
  for (ValueId& id : ids)
    if (id != kAbsent && is_half(body.type(id).dtype)) id = converted(body, id, DType::F32);
  return ids;
}

Program close(BodyBuilder body, const Program& program, const Op& op, ValueId result) {
  ValueId rounded = converted(body, result, input_type(program, op, 0).dtype);
  return std::move(body).finish({rounded});
}

std::map<std::string, Attribute> over(std::vector<int64_t> axes) {
  return {{"axes", std::move(axes)}, {"keepdims", int64_t{1}}};
}

std::vector<int64_t> axes_from(int64_t first, size_t rank) {
  std::vector<int64_t> axes;
  for (int64_t i = first; i < static_cast<int64_t>(rank); ++i) axes.push_back(i);
  return axes;
}

int axis_of(const Op& op, size_t rank) {
  return *axis_attribute(op, "axis", -1, rank);
}

Program softmax_body(const Program& program, const Op& op) {
  BodyBuilder body(name_of(op.kind));
  ValueId x = open(body, program, op)[0];
  auto axes = over({axis_of(op, body.type(x).shape.size())});
  // A NaN makes the sum NaN, and so every result: the maximum need not tell.
  ValueId shifted = body.add(OpKind::Sub, {x, body.add(OpKind::ReduceMaxNumber, {x}, axes)});
  // No element exceeds the maximum. Said by Min it makes exp cheaper.
  ValueId zero = body.number(body.type(x).dtype, 0);
  ValueId grown = body.add(OpKind::Exp, {body.add(OpKind::Min, {shifted, zero})});
  ValueId sum = body.add(OpKind::ReduceSum, {grown}, axes);
  ValueId result = op.kind == OpKind::Softmax ? body.add(OpKind::Div, {grown, sum})
                                              : body.add(OpKind::Sub, {shifted, body.add(OpKind::Log, {sum})});
  return close(std::move(body), program, op, result);
}

// x / sqrt(mean(x²) + ε) over the axes.
ValueId scaled_to_unit(BodyBuilder& body, const Op& op, ValueId x, const std::vector<int64_t>& axes) {
  ValueId power = body.add(OpKind::ReduceMean, {body.add(OpKind::Mul, {x, x})}, over(axes));
  ValueId safe = body.add(OpKind::Add, {power, body.number(body.type(x).dtype, op.number("epsilon", 1e-5))});
  return body.add(OpKind::Div, {x, body.add(OpKind::Sqrt, {safe})});
}

Program norm_body(const Program& program, const Op& op) {
  BodyBuilder body(name_of(op.kind));
  Ids in = open(body, program, op);
  size_t rank = body.type(in[0]).shape.size();
  std::vector<int64_t> axes = axes_from(axis_of(op, rank), rank);
  ValueId x = in[0];
  if (op.kind == OpKind::LayerNormalization)
    x = body.add(OpKind::Sub, {x, body.add(OpKind::ReduceMean, {x}, over(axes))});
  ValueId result = body.add(OpKind::Mul, {scaled_to_unit(body, op, x, axes), in[1]});
  if (has_input(op, 2)) result = body.add(OpKind::Add, {result, in[2]});
  return close(std::move(body), program, op, result);
}

// A value per channel, shaped to broadcast over batch and space.
ValueId per_channel(BodyBuilder& body, ValueId parameter, size_t rank) {
  Shape shape = {body.type(parameter).shape[0]};
  shape.insert(shape.end(), rank - 2, Index(1));
  return body.reshape(parameter, shape);
}

Program batch_norm_body(const Program& program, const Op& op) {
  BodyBuilder body(name_of(op.kind));
  Ids in = open(body, program, op);
  size_t rank = body.type(in[0]).shape.size();
  ValueId epsilon = body.number(body.type(in[0]).dtype, op.number("epsilon", 1e-5));
  ValueId deviation = body.add(OpKind::Sqrt, {body.add(OpKind::Add, {in[4], epsilon})});
  ValueId factor = body.add(OpKind::Div, {in[1], deviation});
  ValueId centred = body.add(OpKind::Sub, {in[0], per_channel(body, in[3], rank)});
  ValueId scaled = body.add(OpKind::Mul, {centred, per_channel(body, factor, rank)});
  ValueId result = body.add(OpKind::Add, {scaled, per_channel(body, in[2], rank)});
  return close(std::move(body), program, op, result);
}

Program instance_norm_body(const Program& program, const Op& op) {
  BodyBuilder body(name_of(op.kind));
  Ids in = open(body, program, op);
  size_t rank = body.type(in[0]).shape.size();
  std::vector<int64_t> axes = axes_from(2, rank);
  ValueId centred = body.add(OpKind::Sub, {in[0], body.add(OpKind::ReduceMean, {in[0]}, over(axes))});
  ValueId scaled = body.add(OpKind::Mul, {scaled_to_unit(body, op, centred, axes), per_channel(body, in[1], rank)});
  ValueId result = body.add(OpKind::Add, {scaled, per_channel(body, in[2], rank)});
  return close(std::move(body), program, op, result);
}

// x times the share of the normal distribution below it, or x/2 * (1 + tanh(√(2/π) (x + 0.044715 x³))).
Program gelu_body(const Program& program, const Op& op) {
  BodyBuilder body(name_of(op.kind));
  ValueId x = open(body, program, op)[0];
  DType type = body.type(x).dtype;
  auto times = [&](ValueId a, ValueId b) { return body.add(OpKind::Mul, {a, b}); };
  auto plus = [&](ValueId a, ValueId b) { return body.add(OpKind::Add, {a, b}); };
  if (op.text("approximate", "none") != "tanh")
    return close(std::move(body), program, op, times(x, body.add(OpKind::NormalCdf, {x})));
  ValueId cubic = times(body.number(type, 0.044715), times(x, times(x, x)));
  ValueId bend =
      body.add(OpKind::Tanh, {times(body.number(type, std::sqrt(2 * std::numbers::inv_pi)), plus(x, cubic))});
  ValueId half = times(body.number(type, 0.5), x);
  return close(std::move(body), program, op, times(half, plus(body.number(type, 1), bend)));
}

}  // namespace

Program composite_body(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
      return softmax_body(program, op);
    case OpKind::LayerNormalization:
    case OpKind::RMSNormalization:
      return norm_body(program, op);
    case OpKind::BatchNormalization:
      return batch_norm_body(program, op);
    case OpKind::InstanceNormalization:
      return instance_norm_body(program, op);
    case OpKind::Gelu:
      return gelu_body(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a composite", name_of(op.kind));
}

}  // namespace hone::ir
