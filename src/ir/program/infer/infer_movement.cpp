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

Result<Types> infer_gather_nd(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  HONE_PASS(expect_indices(op, indices));
  int64_t batch = op.integer("batch_dims", 0);
  auto depth = indices.shape.empty() ? std::nullopt : indices.shape.back().constant();
  if (!depth) return refusal(op, "its indices need a last dimension of fixed size, have {}", shape_text(indices.shape));
  if (batch < 0 || batch >= static_cast<int64_t>(indices.shape.size()) ||
      batch + *depth > static_cast<int64_t>(data.shape.size()))
    return refusal(op, "its indices {} name {} dimensions of {} behind {} of the batch", shape_text(indices.shape),
                   *depth, shape_text(data.shape), batch);
  for (size_t i = 0; i < static_cast<size_t>(batch); ++i)
    HONE_PASS(expect_same_size(op, "the batches of data and indices", data.shape[i], indices.shape[i]));
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  shape.insert(shape.end(), data.shape.begin() + batch + *depth, data.shape.end());
  return Types{{data.dtype, shape}};
}

Result<Types> infer_gather_points(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &first = input_type(program, op, 1);
  if (x.shape.size() != op.inputs.size() + 1)
    return refusal(op, "has {} index tensors for {}", op.inputs.size() - 1, shape_text(x.shape));
  for (size_t k = 1; k < op.inputs.size(); ++k) {
    if (!has_input(op, k)) return refusal(op, "input {} is missing", k);
    const TensorType& indices = input_type(program, op, k);
    HONE_PASS(expect_indices(op, indices));
    if (indices.shape.empty()) return refusal(op, "its indices need the dimension of the batch");
    HONE_PASS(expect_same_size(op, "the batches of data and indices", x.shape[0], indices.shape[0]));
    HONE_PASS(expect_rank(op, "each index tensor", indices, first.shape.size()));
    for (size_t d = 1; d < indices.shape.size(); ++d)
      HONE_PASS(expect_same_size(op, "the sizes of its index tensors", first.shape[d], indices.shape[d]));
  }
  Shape shape = {x.shape[0], x.shape[1]};
  shape.insert(shape.end(), first.shape.begin() + 1, first.shape.end());
  return Types{{x.dtype, shape}};
}

Result<Types> infer_pad(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  std::vector<int64_t> pads = op.integers("pads");
  size_t rank = x.shape.size();
  if (pads.size() != 2 * rank) return refusal(op, "pads need a begin and an end for each of {} dimensions", rank);
  std::string mode = op.text("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return refusal(op, "unknown mode '{}'", mode);
  // Zero bits are zero in all of them but this one, which has no zero.
  if (mode == "constant" && is_storage(x.dtype) && (op.number("value", 0) != 0 || x.dtype == DType::F8E8M0))
    return refusal(op, "a {} tensor is padded with zeros, or in another mode than constant", name_of(x.dtype));
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
  if (is_storage(*dtype)) return refusal(op, "makes no {} tensors; a Cast of another type would", name);
  if (op.kind == OpKind::Range) HONE_PASS(expect_rank(op, "its result", type, 1));
  for (const char* key : {"start", "delta"})
    if (auto found = op.attributes.find(key);
        found != op.attributes.end() && is_integer(*dtype) && !std::holds_alternative<int64_t>(found->second))
      return refusal(op, "attribute {} must be an integer, for its result is {}", key, name);
  return Types{{*dtype, type.shape}};
}

}  // namespace

Result<Types> infer_movement(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::Gather:
      return infer_gather(program, op);
    case OpKind::GatherElements:
      return infer_gather_elements(program, op);
    case OpKind::GatherND:
      return infer_gather_nd(program, op);
    case OpKind::GatherPoints:
      return infer_gather_points(program, op);
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
