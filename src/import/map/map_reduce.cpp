#include <algorithm>
#include <limits>
#include <numeric>

#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

Result<std::vector<int64_t>> sorted_axes(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<int64_t> sorted;
  for (int64_t axis : axes) {
    HONE_TRY(int normal, normal_axis(axis, rank));
    sorted.push_back(normal);
  }
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return error("an axis is listed twice");
  return sorted;
}

// No axes mean all of them, or none at all with noop_with_empty_axes.
Result<std::vector<int64_t>> reduced_axes(Node& node) {
  HONE_TRY(std::vector<int64_t> axes, node.integers("axes", 1));
  if (axes.empty() && node.attributes().integer("noop_with_empty_axes", 0) == 0) {
    axes.resize(node.rank(0));
    std::iota(axes.begin(), axes.end(), 0);
  }
  return sorted_axes(axes, node.rank(0));
}

bool keeps_dimensions(Node& node) {
  return node.attributes().integer("keepdims", 1) != 0;
}

ir::Shape without(const ir::Shape& shape, const std::vector<int64_t>& axes) {
  ir::Shape rest;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!std::binary_search(axes.begin(), axes.end(), static_cast<int64_t>(d))) rest.push_back(shape[d]);
  return rest;
}

}  // namespace

Result<Values> map_reduce(Node& node) {
  HONE_TRY(std::vector<int64_t> axes, reduced_axes(node));
  Steps steps(node);
  ValueId reduced = steps.reduce(node.kind(), node.input(0), axes, keeps_dimensions(node));
  if (node.op_type() == "ReduceLogSum") reduced = steps.op(OpKind::Log, {reduced});
  return steps.done({reduced});
}

// m + log Σ exp(x - m) with m the largest x, so that no exponential overflows. An infinite m would make m - m; zero does
// there.
Result<Values> map_reduce_log_sum_exp(Node& node) {
  if (!is_float(node.type(0).dtype))
    return error("is not defined on {} tensors; floating-point ones would work", name_of(node.type(0).dtype));
  HONE_TRY(std::vector<int64_t> axes, reduced_axes(node));
  Steps steps(node);
  ValueId x = node.input(0);
  ir::DType type = node.type(0).dtype;
  ValueId largest = steps.reduce(OpKind::ReduceMax, x, axes);
  ValueId infinity = steps.number(type, std::numeric_limits<double>::infinity());
  ValueId finite = steps.op(OpKind::Less, {steps.op(OpKind::Abs, {largest}), infinity});
  ValueId shift = steps.where(finite, largest, steps.number(type, 0));
  ValueId sum = steps.reduce(OpKind::ReduceSum, steps.op(OpKind::Exp, {steps.sub(x, shift)}), axes);
  ValueId result = steps.add(steps.op(OpKind::Log, {sum}), shift);
  if (!keeps_dimensions(node)) result = steps.reshape(result, without(node.shape(0), axes));
  return steps.done({result});
}

Result<Values> map_global_pool(Node& node) {
  if (node.rank(0) < 2) return error("its input has rank {}; at least 2 is needed", node.rank(0));
  std::vector<int64_t> axes(node.rank(0) - 2);
  std::iota(axes.begin(), axes.end(), 2);
  OpKind kind = node.kind();
  if (node.op_type() == "GlobalLpPool") {
    int64_t p = node.attributes().integer("p", 2);
    if (p != 1 && p != 2) return error("p = {} is not supported; 1 and 2 would work", p);
    kind = p == 1 ? OpKind::ReduceL1 : OpKind::ReduceL2;
  }
  return Node::single(node.emit(kind, {node.input(0)}, {{"axes", axes}, {"keepdims", int64_t{1}}}));
}

}  // namespace hone::import
