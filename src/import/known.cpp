#include "import/known_internal.h"

#include <algorithm>

#include "import/sizes_internal.h"

namespace hone::import {
namespace {

using ir::Index;

// Opset 15 lets Shape take a part of the dimensions.
std::optional<Known> shape(const KnownNode& node) {
  if (node.types.size() != 1 || !node.types[0]) return std::nullopt;
  const ir::Shape& dims = node.types[0]->shape;
  int64_t rank = static_cast<int64_t>(dims.size());
  auto bring_inside = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank); };
  int64_t start = bring_inside(node.attributes.integer("start", 0));
  int64_t end = std::max(start, bring_inside(node.attributes.integer("end", rank)));
  return Known{ir::DType::I64, {end - start}, {dims.begin() + start, dims.begin() + end}};
}

std::optional<Known> size(const KnownNode& node) {
  if (node.types.size() != 1 || !node.types[0]) return std::nullopt;
  auto count = element_count(node.types[0]->shape);
  if (!count) return std::nullopt;
  return Known{ir::DType::I64, {}, {*count}};
}

}  // namespace

std::optional<std::vector<Known>> evaluate_known(const KnownNode& node) {
  if (node.op_type == "Shape" || node.op_type == "Size") {
    auto result = node.op_type == "Shape" ? shape(node) : size(node);
    if (!result) return std::nullopt;
    return std::vector<Known>{*result};
  }
  if (node.inputs.empty() || !node.inputs[0]) return std::nullopt;
  bool all = true;
  for (size_t i = 0; i < node.inputs.size(); ++i) all = all && (node.inputs[i] || !node.types[i]);
  if (!all) return std::nullopt;
  if (auto moved = known_movement(node)) return moved;
  for (const Known* input : node.inputs)
    if (!input) return std::nullopt;
  auto result = known_arithmetic(node);
  if (!result) return std::nullopt;
  return std::vector<Known>{*result};
}

}  // namespace hone::import
