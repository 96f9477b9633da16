// Which library function an operator calls, and with which integers. The order of the integers is stated at the functions
// in src/library.
#include <bit>

#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

Index code_of(DType type) {
  return static_cast<int64_t>(type);  // library::Element has the same numbers
}

Index code_of_reduction(const Op& op) {
  std::string reduction = op.text("reduction", "none");
  int64_t code = 0;
  for (const char* name : {"none", "add", "mul", "max", "min"}) {
    if (reduction == name) return code;
    ++code;
  }
  HONE_CHECK(false, "unknown reduction {}", reduction);
}

LibraryMeaning top_k_meaning(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  size_t axis = static_cast<size_t>(*axis_attribute(op, "axis", -1, x.shape.size()));
  Index outer = product({x.shape.begin(), x.shape.begin() + static_cast<long>(axis)});
  Index inner = product({x.shape.begin() + static_cast<long>(axis) + 1, x.shape.end()});
  Index k = (*infer_types(program, op))[0].shape[axis];
  return {"top_k", {code_of(x.dtype), outer, x.shape[axis], inner, k, op.integer("largest", 1) != 0 ? 1 : 0}};
}

LibraryMeaning scatter_elements_meaning(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  int64_t axis = *axis_attribute(op, "axis", 0, data.shape.size());
  LibraryMeaning meaning{"scatter_elements",
                         {code_of(data.dtype), code_of(indices.dtype), code_of_reduction(op), axis,
                          static_cast<int64_t>(data.shape.size())}};
  meaning.integers.insert(meaning.integers.end(), data.shape.begin(), data.shape.end());
  meaning.integers.insert(meaning.integers.end(), indices.shape.begin(), indices.shape.end());
  return meaning;
}

LibraryMeaning scatter_nd_meaning(const Program& program, const Op& op) {
  const TensorType &data = input_type(program, op, 0), &indices = input_type(program, op, 1);
  int64_t depth = *indices.shape.back().constant();
  Index tuples = product({indices.shape.begin(), indices.shape.end() - 1});
  Index block = product({data.shape.begin() + depth, data.shape.end()});
  LibraryMeaning meaning{"scatter_nd",
                         {code_of(data.dtype), code_of(indices.dtype), code_of_reduction(op), tuples, block, depth}};
  meaning.integers.insert(meaning.integers.end(), data.shape.begin(), data.shape.begin() + depth);
  return meaning;
}

LibraryMeaning det_meaning(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  return {"det", {code_of(x.dtype), product({x.shape.begin(), x.shape.end() - 2}), x.shape.back()}};
}

LibraryMeaning roi_align_meaning(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  const Index& boxes = input_type(program, op, 1).shape[0];
  return {"roi_align",
          {code_of(x.dtype), x.shape[0], x.shape[1], x.shape[2], x.shape[3], boxes, op.integer("output_height", 1),
           op.integer("output_width", 1), op.integer("sampling_ratio", 0), op.text("mode", "avg") == "max" ? 1 : 0,
           op.integer("half_pixel", 1) != 0 ? 1 : 0, std::bit_cast<int64_t>(op.number("spatial_scale", 1))}};
}

LibraryMeaning nonzero_meaning(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  LibraryMeaning meaning{"nonzero", {code_of(x.dtype), static_cast<int64_t>(x.shape.size())}};
  meaning.integers.insert(meaning.integers.end(), x.shape.begin(), x.shape.end());
  return meaning;
}

LibraryMeaning unique_meaning(const Program& program, const Op& op) {
  const TensorType& x = input_type(program, op, 0);
  auto axis = x.shape.begin() + *axis_attribute(op, "axis", 0, x.shape.size());
  Index outer = product({x.shape.begin(), axis}), inner = product({axis + 1, x.shape.end()});
  return {"unique", {code_of(x.dtype), outer, *axis, inner, op.integer("sorted", 1) != 0 ? 1 : 0}};
}

LibraryMeaning non_max_suppression_meaning(const Program& program, const Op& op) {
  const Shape& scores = input_type(program, op, 1).shape;
  Index room = (*infer_types(program, op))[0].shape[0];
  return {"non_max_suppression",
          {scores[0], scores[1], scores[2], room, op.integer("center_point_box", 0), op.integer("scored", 0)}};
}

}  // namespace

LibraryMeaning library_meaning(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::TopK:
      return top_k_meaning(program, op);
    case OpKind::ScatterElements:
      return scatter_elements_meaning(program, op);
    case OpKind::ScatterND:
      return scatter_nd_meaning(program, op);
    case OpKind::Det:
      return det_meaning(program, op);
    case OpKind::RoiAlign:
      return roi_align_meaning(program, op);
    case OpKind::NonZero:
      return nonzero_meaning(program, op);
    case OpKind::Unique:
      return unique_meaning(program, op);
    case OpKind::NonMaxSuppression:
      return non_max_suppression_meaning(program, op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is no library operator", name_of(op.kind));
}

}  // namespace hone::ir
