#include <algorithm>
#include <numeric>

#include "import/node_internal.h"

namespace hone::import {

using ir::OpKind;

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

}  // namespace

Result<Values> map_reduce(Node& node) {
  HONE_TRY(std::vector<int64_t> axes, node.integers("axes", 1));
  if (axes.empty()) {
    if (node.attributes().integer("noop_with_empty_axes", 0) != 0) {
      bool changes =
          node.kind() == OpKind::ReduceL1 || node.kind() == OpKind::ReduceL2 || node.kind() == OpKind::ReduceSumSquare;
      if (changes || node.op_type() == "ReduceLogSum")
        return error("noop_with_empty_axes without axes; axes would work");
      return Node::single(node.emit(OpKind::Identity, {node.input(0)}));
    }
    axes.resize(node.rank(0));
    std::iota(axes.begin(), axes.end(), 0);
  }
  HONE_TRY(axes, sorted_axes(axes, node.rank(0)));
  AttributeMap attributes{{"axes", axes}, {"keepdims", node.attributes().integer("keepdims", 1)}};
  HONE_TRY(ir::ValueId reduced, node.emit(node.kind(), {node.input(0)}, attributes));
  if (node.op_type() == "ReduceLogSum") return Node::single(node.emit(OpKind::Log, {reduced}));
  return Values{reduced};
}

Result<Values> map_global_pool(Node& node) {
  if (node.rank(0) < 2) return error("its input has rank {}; at least 2 is needed", node.rank(0));
  std::vector<int64_t> axes(node.rank(0) - 2);
  std::iota(axes.begin(), axes.end(), 2);
  return Node::single(node.emit(node.kind(), {node.input(0)}, {{"axes", axes}, {"keepdims", int64_t{1}}}));
}

}  // namespace hone::import
