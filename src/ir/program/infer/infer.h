// What the infer_* files share: how a refusal names its node, and the shape rules that several families use.
// Private to this folder.
#pragma once

#include "ir/program/family.h"

namespace hone::ir {

std::string label_of(const Op& op);  // "add node 'Add_12'"

template <typename... Args>
Error refusal(const Op& op, fmt::format_string<Args...> format, Args&&... args) {
  return error("{}: {}", label_of(op), fmt::format(format, std::forward<Args>(args)...));
}

std::string shape_text(const Shape& shape);  // "[2, N, 3]"

const TensorType& input_type(const Program& program, const Op& op, size_t number);
bool has_input(const Op& op, size_t number);
// The type written at the op's first result, for operators whose shape is part of their type.
Result<TensorType> declared_type(const Program& program, const Op& op);

// True if the two sizes differ for every value of the symbols.
bool surely_differ(const Index& a, const Index& b);

// NumPy broadcasting. Two sizes that may or may not be equal give their maximum: right for every legal pair of sizes
// above zero (see broadcast_index, which reads with the matching minimum).
Result<Shape> broadcast(const Op& op, const Shape& a, const Shape& b);
// As above, refusing shapes that do not fit into `to`.
Status broadcasts_to(const Op& op, const Shape& from, const Shape& to);

Status expect_number(const Op& op, DType type);  // a float or an integer, to compute with
Status expect_float(const Op& op, DType type);
Status expect_rank(const Op& op, const char* what, const TensorType& type, size_t rank);
Status expect_same_dtype(const Op& op, const TensorType& a, const TensorType& b);
Status expect_same_size(const Op& op, const char* what, const Index& a, const Index& b);

// That each attribute which operators read has the form they read it in.
Status check_attributes(const Op& op);

// axis brought to 0 … rank - 1.
Result<int> axis_attribute(const Op& op, const char* key, int64_t otherwise, size_t rank);

// Attributes of convolutions and pools, with ONNX's defaults filled in.
struct Sliding {
  std::vector<int64_t> strides, dilations, begin, end;
  int64_t group = 1;
};
Result<Sliding> sliding_attributes(const Op& op, size_t rank);
Sliding sliding_of(const Op& op, size_t rank);  // the same, of an op that has passed infer_types

}  // namespace hone::ir
