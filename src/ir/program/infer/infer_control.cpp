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

}  // namespace

Result<Types> infer_control(const Program& program, const Op& op) {
  HONE_CHECK(op.bodies.size() == 2, "{} has {} bodies", label_of(op), op.bodies.size());
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
