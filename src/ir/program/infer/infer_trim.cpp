#include "ir/program/infer/infer.h"

namespace hone::ir {

Result<Types> infer_trim(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &count = input_type(program, op, 1);
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, x.shape.size()));
  if (count.dtype != DType::I64 || !product(count.shape).is(1)) return refusal(op, "its count is not one i64");
  HONE_TRY(TensorType result, declared_type(program, op));
  if (result.dtype != x.dtype || result.shape.size() != x.shape.size())
    return refusal(op, "its result must be of the type and rank of its operand");
  for (size_t d = 0; d < x.shape.size(); ++d)
    if (d != static_cast<size_t>(axis) && !(result.shape[d] == x.shape[d]))
      return refusal(op, "dimension {} of its result is {}, not {}", d, result.shape[d].text(), x.shape[d].text());
  return Types{result};
}

}  // namespace hone::ir
