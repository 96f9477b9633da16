// Shape arithmetic: small integer and boolean tensors whose elements are known as expressions of the symbols. A node all
// of whose operands are known is worked out here and never becomes an operator. Truth is 1, falsehood 0; a comparison of
// sizes that no rule decides is an expression too.
#pragma once

#include <optional>
#include <vector>

#include "import/attributes_internal.h"
#include "ir/program/program.h"

namespace hone::import {

struct Known {
  ir::DType dtype{};
  std::vector<int64_t> dims;
  std::vector<ir::Index> elements;  // row-major

  size_t rank() const { return dims.size(); }
};

inline constexpr size_t kMostKnown = 64;

// What Shape, Size and the operators on known tensors see of a node.
struct KnownNode {
  const std::string& op_type;
  int opset;
  Attributes& attributes;
  std::vector<const Known*> inputs;                  // null: absent or not known
  std::vector<std::optional<ir::TensorType>> types;  // of all inputs; nothing: absent
  size_t outputs;
};

// The outputs, or nothing if the node is not one of shape arithmetic, or too large, or malformed (its mapping then says
// what is wrong).
std::optional<std::vector<Known>> evaluate_known(const KnownNode& node);

// Parts of it.
std::optional<Known> known_arithmetic(const KnownNode& node);
std::optional<std::vector<Known>> known_movement(const KnownNode& node);
// Two's complement of the type's width; nothing if the number is symbolic and might not fit.
ir::Index wrapped(const ir::Index& value, ir::DType type);

}  // namespace hone::import
