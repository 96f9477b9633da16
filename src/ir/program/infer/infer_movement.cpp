#include "ir/program/infer/infer.h"
#include "ir/program/resize.h"

namespace hone::ir {
namespace {

Status expect_indices(const Op& op, const TensorType& indices) {
  if (indices.dtype == DType::I32 || indices.dtype == DType::I64) return Done{};
  return refusal(op, "its indices are {}, not i32 or i64", name_of(indices.dtype));
}

Result<Types> infer_gather(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  HONE_PASS(expect_indices(op, indices));
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, data.shape.size()));
  Shape shape(data.shape.begin(), data.shape.begin() + axis);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), data.shape.begin() + axis + 1, data.shape.end());
  return Types{{data.dtype, shape}};
}

Result<Types> infer_gather_elements(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  HONE_PASS(expect_indices(op, indices));
  HONE_PASS(expect_rank(op, "its index tensor", indices, data.shape.size()));
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, data.shape.size()));
  for (size_t i = 0; i < data.shape.size(); ++i) {
    auto have = data.shape[i].constant(), want = indices.shape[i].constant();
    if (static_cast<int>(i) != axis && have && want && *want > *have)
      return refusal(op, "its indices {} reach past its data {}", shape_text(indices.shape), shape_text(data.shape));
  }
  return Types{{data.dtype, indices.shape}};
}

Result<Types> infer_pad(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  std::vector<int64_t> pads = op.integers("pads");
  size_t rank = x.shape.size();
  if (pads.size() != 2 * rank) return refusal(op, "pads need a begin and an end for each of {} dimensions", rank);
  std::string mode = op.text("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return refusal(op, "unknown mode '{}'", mode);
  Shape shape;
  for (size_t i = 0; i < rank; ++i) {
    shape.push_back(x.shape[i] + pads[i] + pads[i + rank]);
    if (shape[i].constant().value_or(0) < 0) return refusal(op, "its pads remove more than dimension {} has", i);
  }
  return Types{{x.dtype, shape}};
}

// Range and Fill: the shape is that of the declared result, the element type an attribute.
Result<Types> infer_made(const Program& program, const Op& op) {
  HONE_TRY(TensorType type, declared_type(program, op));
  std::string name = op.text("dtype", name_of(type.dtype));
  auto dtype = dtype_named(name);
  if (!dtype) return refusal(op, "unknown element type '{}'", name);
  if (op.kind == OpKind::Range) HONE_PASS(expect_rank(op, "its result", type, 1));
  return Types{{*dtype, type.shape}};
}

}  // namespace

Result<Types> infer_movement(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::Gather:
      return infer_gather(program, op);
    case OpKind::GatherElements:
      return infer_gather_elements(program, op);
    case OpKind::Pad:
      return infer_pad(program, op);
    case OpKind::Range:
    case OpKind::Fill:
      return infer_made(program, op);
    case OpKind::Resize:
      return infer_resize(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a movement", name_of(op.kind));
}

}  // namespace hone::ir
