#include "import/map/calculator_internal.h"

namespace hone::import {

Result<Values> map_gather_nd(Node& node) {
  int64_t batch = node.attributes().integer("batch_dims", 0);
  if (batch < 0 || static_cast<size_t>(batch) > std::min(node.rank(0), node.rank(1)))
    return error("its batch_dims of {} do not fit ranks {} and {}", batch, node.rank(0), node.rank(1));
  Values values = node.inputs();
  for (size_t d = 0; d < static_cast<size_t>(batch); ++d) HONE_PASS(node.match(values[0], d, values[1], d));
  return Node::single(node.emit(OpKind::GatherND, values, {{"batch_dims", batch}}));
}

namespace {

// Brings two axes to the front, or back from there.
std::vector<int64_t> front_order(size_t rank, int64_t first, int64_t second) {
  std::vector<int64_t> order = {first, second};
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d)
    if (d != first && d != second) order.push_back(d);
  return order;
}

std::vector<int64_t> inverse_order(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return inverse;
}

}  // namespace

// Time t of a sequence of n steps is read at n - 1 - t as long as t < n.
Result<Values> map_reverse_sequence(Node& node) {
  HONE_TRY(int batch, normal_axis(node.attributes().integer("batch_axis", 1), node.rank(0)));
  HONE_TRY(int time, normal_axis(node.attributes().integer("time_axis", 0), node.rank(0)));
  if (batch == time) return error("its batch_axis and time_axis are both {}", batch);
  if (node.rank(1) != 1) return error("its sequence_lens have rank {}; 1 is needed", node.rank(1));
  ValueId lengths = node.input(1);
  HONE_PASS(node.match(node.input(0), static_cast<size_t>(batch), lengths, 0));
  ir::Shape shape = node.shape(0);
  ir::Index batches = shape[static_cast<size_t>(batch)], steps = shape[static_cast<size_t>(time)];
  Calculator calculate(node, DType::I64);
  ValueId step = calculate.range(steps);
  ValueId length = calculate.reshape(calculate.cast(lengths, DType::I64), {batches, 1});
  ValueId mirrored = calculate.sub(calculate.sub(length, 1.0), step);
  ValueId from = calculate.where(calculate.less(step, length), mirrored, step);
  std::vector<int64_t> order = front_order(shape.size(), batch, time);
  ValueId x = calculate.transpose(node.input(0), order);
  ValueId y =
      calculate.op(OpKind::GatherND, {x, calculate.reshape(from, {batches, steps, 1})}, {{"batch_dims", int64_t{1}}});
  return Node::single(calculate.result(calculate.transpose(y, inverse_order(order))));
}

}  // namespace hone::import
