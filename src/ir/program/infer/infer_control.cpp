#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

// A size on which the branches agree is that of the result; where they differ it is the one written at the result,
// which import makes a symbol of its own.
Result<TensorType> joined(const Program& program, const Op& op, size_t k, const TensorType& a, const TensorType& b) {
  if (a.dtype != b.dtype || a.shape.size() != b.shape.size())
    return refusal(op, "result {} is {}{} in one branch and {}{} in the other", k, name_of(a.dtype),
                   shape_text(a.shape), name_of(b.dtype), shape_text(b.shape));
  TensorType type = a;
  for (size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] == b.shape[i]) continue;
    bool declared =
        k < op.outputs.size() && op.outputs[k] != kAbsent && program.type(op.outputs[k]).shape.size() == a.shape.size();
    if (!declared)
      return refusal(op, "result {} has size {} in one branch and {} in the other", k, a.shape[i].text(),
                     b.shape[i].text());
    type.shape[i] = program.type(op.outputs[k]).shape[i];
  }
  return type;
}

bool is_one(const TensorType& type, DType dtype) {
  return type.dtype == dtype && type.shape.empty();
}

// What the body takes is the round's number, then the operands without the number of rounds.
Status check_loop_inputs(const Program& program, const Op& op) {
  const Program& body = op.bodies[0];
  if (!is_one(input_type(program, op, 0), DType::I64)) return refusal(op, "its number of rounds is not one i64");
  if (!is_one(input_type(program, op, 1), DType::Bool)) return refusal(op, "its condition is not one bool");
  if (body.inputs.size() != op.inputs.size())
    return refusal(op, "passes {} values to a body that takes {}", op.inputs.size(), body.inputs.size());
  for (size_t k = 0; k < op.inputs.size(); ++k)
    if (!has_input(op, k) || body.type(body.inputs[k]) != input_type(program, op, k))
      return refusal(op, "operand {} has another type than the body's input", k);
  return Done{};
}

Result<Types> infer_loop(const Program& program, const Op& op) {
  if (op.bodies.size() != 1) return refusal(op, "has {} bodies, needs 1", op.bodies.size());
  HONE_PASS(check_loop_inputs(program, op));
  const Program& body = op.bodies[0];
  int64_t carried = op.integer("carried", 0);
  if (carried < 0 || carried + 2 > static_cast<int64_t>(op.inputs.size()) ||
      carried + 1 > static_cast<int64_t>(body.outputs.size()))
    return refusal(op, "carries {} values, has {} operands and {} results of its body", carried, op.inputs.size(),
                   body.outputs.size());
  if (!is_one(body.type(body.outputs[0]), DType::Bool)) return refusal(op, "the body's condition is not one bool");
  Types types;
  for (size_t k = 1; k < body.outputs.size(); ++k) {
    TensorType type = body.type(body.outputs[k]);
    if (k <= static_cast<size_t>(carried)) {
      if (type != body.type(body.inputs[k + 1])) return refusal(op, "carried value {} changes its type", k - 1);
    } else {
      bool declared = k <= op.outputs.size() && op.outputs[k - 1] != kAbsent;
      const Shape* shape = declared ? &program.type(op.outputs[k - 1]).shape : nullptr;
      if (!shape || shape->empty()) return refusal(op, "the type of stacked result {} must be given", k - 1);
      type.shape.insert(type.shape.begin(), shape->front());
    }
    types.push_back(type);
  }
  return types;
}

}  // namespace

Result<Types> infer_control(const Program& program, const Op& op) {
  if (op.kind == OpKind::Loop) return infer_loop(program, op);
  if (op.bodies.size() != 2) return refusal(op, "has {} bodies, needs 2", op.bodies.size());
  const TensorType& condition = input_type(program, op, 0);
  if (condition.dtype != DType::Bool) return refusal(op, "its condition is {}, not bool", name_of(condition.dtype));
  const Program &yes = op.bodies[0], &no = op.bodies[1];
  if (yes.outputs.size() != no.outputs.size())
    return refusal(op, "its branches yield {} and {} results", yes.outputs.size(), no.outputs.size());
  Types types;
  for (size_t k = 0; k < yes.outputs.size(); ++k) {
    HONE_TRY(TensorType type, joined(program, op, k, yes.type(yes.outputs[k]), no.type(no.outputs[k])));
    types.push_back(type);
  }
  return types;
}

}  // namespace hone::ir
