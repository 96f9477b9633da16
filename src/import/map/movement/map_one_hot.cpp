#include <cmath>

#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

Result<Index> depth_of(Node& node) {
  if (node.known(1)) {
    HONE_TRY(std::vector<Index> sizes, node.sizes(1, "depth"));
    if (sizes.size() != 1 || sizes[0].constant().value_or(0) < 0 || !is_reasonable(sizes[0]))
      return error("its depth must be one number from 0 on");
    return sizes[0];
  }
  auto numbers = node.numbers(1);
  if (!numbers) return error("its depth depends on data; a number or a size of the inputs would work");
  if (numbers->size() != 1 || !((*numbers)[0] >= 0 && (*numbers)[0] < static_cast<double>(kLargeNumber)))
    return error("its depth must be one number from 0 on");
  return Index(static_cast<int64_t>((*numbers)[0]));
}

}  // namespace

// An index matches its own class; a negative one counts from the end, and one out of range matches none.
Result<Values> map_one_hot(Node& node) {
  HONE_TRY(Index depth, depth_of(node));
  size_t rank = node.rank(0);
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -1), rank + 1));
  if (node.rank(2) != 1 || provably_different(node.shape(2)[0], 2))
    return error("its values must be two numbers, for off and on");
  ir::Shape apart = node.shape(0);
  apart.insert(apart.begin() + axis, Index(1));
  Steps steps(node);
  ValueId index = steps.reshape(steps.cast(node.input(0), ir::DType::I64), apart);
  ValueId negative = steps.op(OpKind::Less, {index, steps.number(ir::DType::I64, 0)});
  ValueId from_front = steps.where(negative, steps.add(index, steps.size(depth)), index);
  ValueId classes = steps.positions(depth, rank - static_cast<size_t>(axis));
  ValueId values = steps.reshape(node.input(2), {2});
  ValueId off = steps.reshape(steps.slice(values, 0, 0, 1), {}), on = steps.reshape(steps.slice(values, 0, 1, 1), {});
  return steps.done({steps.where(steps.op(OpKind::Equal, {from_front, classes}), on, off)});
}

}  // namespace hone::import
