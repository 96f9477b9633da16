#include <algorithm>

#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Result<Types> infer_top_k(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  if (x.dtype == DType::Bool) return refusal(op, "is not defined on bool tensors");
  HONE_TRY(int axis, axis_attribute(op, "axis", -1, x.shape.size()));
  // Either result tells k: one of them may be taken by nobody.
  auto taken = std::find_if(op.outputs.begin(), op.outputs.end(), [](ValueId id) { return id != kAbsent; });
  if (taken == op.outputs.end()) return refusal(op, "a result must be given with a type");
  const TensorType& declared = program.type(*taken);
  HONE_PASS(expect_rank(op, "its result", declared, x.shape.size()));
  Shape shape = x.shape;
  const Index &size = x.shape[static_cast<size_t>(axis)], &k = declared.shape[static_cast<size_t>(axis)];
  if (size.constant() && k.constant() && (*k.constant() > *size.constant() || *k.constant() < 0))
    return refusal(op, "takes {} of {} elements", k.text(), size.text());
  shape[static_cast<size_t>(axis)] = k;
  return Types{{x.dtype, shape}, {DType::I64, shape}};
}

Status check_scatter(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  HONE_PASS(expect_same_dtype(op, data, input_type(program, op, 2)));
  if (indices.dtype != DType::I32 && indices.dtype != DType::I64)
    return refusal(op, "its indices are {}, not i32 or i64", name_of(indices.dtype));
  std::string reduction = op.text("reduction", "none");
  constexpr const char* kReductions[] = {"none", "add", "mul", "max", "min"};
  if (std::none_of(std::begin(kReductions), std::end(kReductions), [&](const char* r) { return reduction == r; }))
    return refusal(op, "unknown reduction '{}'", reduction);
  return Done{};
}

Status expect_shape(const Op& op, const char* what, const TensorType& type, const Shape& shape) {
  HONE_PASS(expect_rank(op, what, type, shape.size()));
  for (size_t i = 0; i < shape.size(); ++i) HONE_PASS(expect_same_size(op, what, type.shape[i], shape[i]));
  return Done{};
}

Result<Types> infer_scatter_elements(const Program& program, const Op& op) {
  HONE_PASS(check_scatter(program, op));
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  HONE_TRY([[maybe_unused]] int axis, axis_attribute(op, "axis", 0, data.shape.size()));
  HONE_PASS(expect_rank(op, "its index tensor", indices, data.shape.size()));
  HONE_PASS(expect_shape(op, "sizes of updates and indices", input_type(program, op, 2), indices.shape));
  return Types{data};
}

Result<Types> infer_scatter_nd(const Program& program, const Op& op) {
  HONE_PASS(check_scatter(program, op));
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  auto depth = indices.shape.empty() ? std::nullopt : indices.shape.back().constant();
  if (!depth) return refusal(op, "its indices need a last dimension of fixed size, have {}", shape_text(indices.shape));
  if (*depth > static_cast<int64_t>(data.shape.size()))
    return refusal(op, "its indices name {} dimensions of {}", *depth, shape_text(data.shape));
  Shape updates(indices.shape.begin(), indices.shape.end() - 1);
  updates.insert(updates.end(), data.shape.begin() + *depth, data.shape.end());
  HONE_PASS(expect_shape(op, "sizes of updates, indices and data", input_type(program, op, 2), updates));
  return Types{data};
}

Result<Types> infer_det(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_PASS(expect_float(op, x.dtype));
  size_t rank = x.shape.size();
  if (rank < 2) return refusal(op, "needs matrices, has {}", shape_text(x.shape));
  HONE_PASS(expect_same_size(op, "the sides of its matrices", x.shape[rank - 2], x.shape[rank - 1]));
  return Types{{x.dtype, {x.shape.begin(), x.shape.end() - 2}}};
}

const TensorType kOneInteger{DType::I64, {1}};

Result<Types> infer_nonzero(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  return Types{{DType::I64, {static_cast<int64_t>(x.shape.size()), product(x.shape)}}, kOneInteger};
}

Result<Types> infer_unique(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  HONE_TRY(int axis, axis_attribute(op, "axis", 0, x.shape.size()));
  TensorType numbers{DType::I64, {x.shape[static_cast<size_t>(axis)]}};
  return Types{x, numbers, numbers, numbers, kOneInteger};
}

Result<Types> infer_non_max_suppression(const Program& program, const Op& op) {
  const TensorType &boxes = input_type(program, op, 0), &scores = input_type(program, op, 1);
  HONE_PASS(expect_rank(op, "its scores", scores, 3));
  HONE_PASS(expect_shape(op, "its boxes", boxes, {scores.shape[0], scores.shape[2], 4}));
  const DType wanted[] = {DType::F32, DType::F32, DType::I64, DType::F32, DType::F32};
  for (size_t k = 0; k < std::size(wanted); ++k)
    if (input_type(program, op, k).dtype != wanted[k])
      return refusal(op, "input {} is {}, not {}", k, name_of(input_type(program, op, k).dtype), name_of(wanted[k]));
  HONE_TRY(TensorType selected, declared_type(program, op));
  HONE_PASS(expect_rank(op, "its result", selected, 2));
  return Types{{DType::I64, {selected.shape[0], 3}}, kOneInteger};
}

Result<Types> infer_roi_align(const Program& program, const Op& op) {
  const TensorType &x = input_type(program, op, 0), &boxes = input_type(program, op, 1),
                   &images = input_type(program, op, 2);
  HONE_PASS(expect_float(op, x.dtype));
  HONE_PASS(expect_same_dtype(op, x, boxes));
  HONE_PASS(expect_rank(op, "its input", x, 4));
  HONE_PASS(expect_shape(op, "its boxes", boxes, {boxes.shape.empty() ? Index(0) : boxes.shape[0], 4}));
  HONE_PASS(expect_shape(op, "the images of its boxes", images, {boxes.shape[0]}));
  if (images.dtype != DType::I64) return refusal(op, "the images of its boxes are {}, not i64", name_of(images.dtype));
  std::string mode = op.text("mode", "avg");
  if (mode != "avg" && mode != "max") return refusal(op, "unknown mode '{}'", mode);
  int64_t height = op.integer("output_height", 1), width = op.integer("output_width", 1);
  if (height < 1 || width < 1 || op.integer("sampling_ratio", 0) < 0)
    return refusal(op, "its output sizes and sampling_ratio must not be negative");
  return Types{{x.dtype, {boxes.shape[0], x.shape[1], height, width}}};
}

}  // namespace

Result<Types> infer_library(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::TopK:
      return infer_top_k(program, op);
    case OpKind::ScatterElements:
      return infer_scatter_elements(program, op);
    case OpKind::ScatterND:
      return infer_scatter_nd(program, op);
    case OpKind::Det:
      return infer_det(program, op);
    case OpKind::RoiAlign:
      return infer_roi_align(program, op);
    case OpKind::NonZero:
      return infer_nonzero(program, op);
    case OpKind::Unique:
      return infer_unique(program, op);
    case OpKind::NonMaxSuppression:
      return infer_non_max_suppression(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is no library operator", name_of(op.kind));
}

}  // namespace hone::ir
