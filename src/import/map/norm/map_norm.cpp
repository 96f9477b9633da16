#include <algorithm>

#include "import/map/norm/test_mode_internal.h"

namespace hone::import {

namespace {

// What LayerNormalization gives beside its result: the mean, and 1 / √(variance + ε), of the type that it computes in.
Result<Values> mean_and_inverse_deviation(Node& node, int axis, double epsilon) {
  auto type = dtype_of(static_cast<int>(node.attributes().integer("stash_type", 1)));
  if (!type || !is_float(*type)) return error("its stash_type is no type of floats");
  HONE_TRY(ValueId x, node.cast(node.input(0), *type));
  std::vector<int64_t> axes;
  for (size_t d = static_cast<size_t>(axis); d < node.rank(0); ++d) axes.push_back(static_cast<int64_t>(d));
  AttributeMap over{{"axes", axes}, {"keepdims", int64_t{1}}};
  HONE_TRY(ValueId mean, node.emit(OpKind::ReduceMean, {x}, over));
  HONE_TRY(ValueId centred, node.emit(OpKind::Sub, {x, mean}));
  HONE_TRY(ValueId square, node.emit(OpKind::Mul, {centred, centred}));
  HONE_TRY(ValueId variance, node.emit(OpKind::ReduceMean, {square}, over));
  HONE_TRY(ValueId small, node.scalar(*type, epsilon));
  HONE_TRY(ValueId sum, node.emit(OpKind::Add, {variance, small}));
  HONE_TRY(ValueId root, node.emit(OpKind::Sqrt, {sum}));
  HONE_TRY(ValueId inverse, node.emit(OpKind::Reciprocal, {root}));
  return Values{mean, inverse};
}

}  // namespace

Result<Values> map_layer_norm(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -1), node.rank(0)));
  double epsilon = node.attributes().number("epsilon", 1e-5F);
  Values values = node.inputs();
  for (size_t k = 1; k < values.size(); ++k) {
    if (!node.has(k)) continue;
    size_t rank = node.rank(k);
    for (size_t d = 1; d <= std::min(rank, node.rank(0)); ++d)
      if (node.must_equal(node.shape(k)[rank - d], node.shape(0)[node.rank(0) - d]))
        HONE_PASS(node.match_open(values[0], node.rank(0) - d, values[k], rank - d));
  }
  HONE_TRY(ValueId result, node.emit(node.kind(), values, {{"axis", int64_t{axis}}, {"epsilon", epsilon}}));
  if (node.kind() != OpKind::LayerNormalization || (!node.wants(1) && !node.wants(2))) return Values{result};
  HONE_TRY(Values statistics, mean_and_inverse_deviation(node, axis, epsilon));
  return Values{result, statistics[0], statistics[1]};
}

Status expect_test_mode(Node& node) {
  if (node.opset() < 7 && node.attributes().integer("is_test", 0) == 0)
    return error("without is_test it trains, which is not supported; inference would work");
  return Done{};
}

Result<Values> map_dropout(Node& node) {
  HONE_PASS(expect_test_mode(node));
  if (node.has(2)) {
    auto training = node.numbers(2);
    if (!training || training->size() != 1 || (*training)[0] != 0)
      return error("training mode is not supported; inference would work");
  }
  HONE_TRY(ValueId value, node.emit(OpKind::Identity, {node.input(0)}));
  if (!node.wants(1)) return Values{value};
  // Until opset 9 the mask is of the type of the input.
  const ir::DType type = node.opset() < 10 ? node.type(0).dtype : ir::DType::Bool;
  HONE_TRY(ValueId mask,
           node.emit(OpKind::Fill, {}, {{"value", 1.0}, {"dtype", std::string(name_of(type))}}, {type, node.shape(0)}));
  return Values{value, mask};
}

}  // namespace hone::import
