// Normalisations that are formulas of other operators.
#include <algorithm>

#include "import/map/steps_internal.h"

namespace hone::import {

Result<Values> map_instance_norm(Node& node) {
  double epsilon = node.attributes().number("epsilon", 1e-5F);
  Values values = node.inputs();
  for (size_t k = 1; k < values.size(); ++k) HONE_PASS(node.match_open(values[0], 1, values[k], 0));
  return Node::single(node.emit(OpKind::InstanceNormalization, values, {{"epsilon", epsilon}}));
}

namespace {

// x less its mean over the axes.
ValueId centred_over(Steps& steps, ValueId x, const std::vector<int64_t>& axes) {
  return steps.sub(x, steps.reduce(OpKind::ReduceMean, x, axes));
}

ValueId mean_square(Steps& steps, ValueId x, const std::vector<int64_t>& axes) {
  return steps.reduce(OpKind::ReduceMean, steps.mul(x, x), axes);
}

}  // namespace

// Groups get a dimension of their own. Scale and bias are per group until opset 20, per channel since, when the statistics
// also have a type of their own.
Result<Values> map_group_norm(Node& node) {
  Attributes& attributes = node.attributes();
  ir::Shape shape = node.shape(0);
  int64_t groups = attributes.integer("num_groups", 0);
  if (groups < 1) return error("num_groups is {}; a positive number is needed", groups);
  if (shape.size() < 2) return error("its input has rank {}; at least 2 is needed", shape.size());
  auto each = exact_quotient(shape[1], groups);
  if (!each && !shape[1].constant())
    return error("{} channels may not divide into {} groups; a number would work", shape[1].text(), groups);
  if (!each) return error("{} channels do not divide into {} groups", shape[1].text(), groups);
  bool per_channel = node.opset() >= 21;
  for (size_t k : {1, 2})
    if (node.rank(k) != 1 || provably_different(node.shape(k)[0], per_channel ? shape[1] : Index(groups)))
      return error("input number {} must have one element per {}", k, per_channel ? "channel" : "group");
  ir::DType type = node.type(0).dtype, inner = type;
  if (per_channel) {
    auto stash = dtype_of(static_cast<int>(attributes.integer("stash_type", 1)));
    if (!stash) return error("its stash_type {}", stash.problem().message);
    inner = *stash;
  }
  Index space = ir::product({shape.begin() + 2, shape.end()});
  Steps steps(node);
  ValueId x = steps.reshape(steps.cast(node.input(0), inner), {shape[0], groups, *each, space});
  ValueId centred = centred_over(steps, x, {2, 3});
  ValueId safe =
      steps.add(mean_square(steps, centred, {2, 3}), steps.number(inner, attributes.number("epsilon", 1e-5F)));
  ValueId normal = steps.cast(steps.div(centred, steps.op(OpKind::Sqrt, {safe})), type);
  ir::Shape parameter{groups, per_channel ? *each : Index(1), 1};
  ValueId scaled = steps.mul(normal, steps.reshape(node.input(1), parameter));
  return steps.done({steps.reshape(steps.add(scaled, steps.reshape(node.input(2), parameter)), shape)});
}

Result<Values> map_mean_variance_norm(Node& node) {
  std::vector<int64_t> axes;
  for (int64_t axis : node.attributes().integers("axes", {0, 2, 3})) {
    HONE_TRY(int normal, normal_axis(axis, node.rank(0)));
    axes.push_back(normal);
  }
  std::sort(axes.begin(), axes.end());
  Steps steps(node);
  ValueId centred = centred_over(steps, node.input(0), axes);
  ValueId deviation = steps.op(OpKind::Sqrt, {mean_square(steps, centred, axes)});
  return steps.done({steps.div(centred, steps.add(deviation, steps.number(node.type(0).dtype, 1e-9)))});
}

// x over its norm along the axis; zero where the norm is.
Result<Values> map_lp_normalization(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -1), node.rank(0)));
  int64_t order = node.attributes().integer("p", 2);
  if (order != 1 && order != 2) return error("p = {} is not supported; 1 and 2 would work", order);
  Steps steps(node);
  ValueId norm = steps.reduce(order == 1 ? OpKind::ReduceL1 : OpKind::ReduceL2, node.input(0), {axis});
  ValueId zero = steps.number(node.type(0).dtype, 0);
  ValueId scaled = steps.div(node.input(0), norm);
  return steps.done({steps.where(steps.op(OpKind::Equal, {norm, zero}), zero, scaled)});
}

// x / (bias + alpha * mean of the squares of `size` neighbouring channels)^beta; the mean is an average pool over channels
// that counts the padding.
Result<Values> map_lrn(Node& node) {
  Attributes& attributes = node.attributes();
  ir::Shape shape = node.shape(0);
  int64_t size = attributes.integer("size", 0);
  if (size < 1) return error("its size is {}; a positive number is needed", size);
  if (shape.size() < 2) return error("its input has rank {}; at least 2 is needed", shape.size());
  ir::DType type = node.type(0).dtype;
  std::vector<int64_t> window{size, 1}, ones{1, 1}, pads{(size - 1) / 2, 0, size / 2, 0};
  AttributeMap pool{{"kernel_shape", window},
                    {"strides", ones},
                    {"dilations", ones},
                    {"pads", pads},
                    {"count_include_pad", int64_t{1}}};
  Steps steps(node);
  ValueId x = node.input(0);
  ValueId rows = steps.reshape(steps.mul(x, x), {shape[0], 1, shape[1], ir::product({shape.begin() + 2, shape.end()})});
  ValueId mean = steps.reshape(steps.op(OpKind::AveragePool, {rows}, pool), shape);
  ValueId grown = steps.mul(mean, steps.number(type, attributes.number("alpha", 1e-4F)));
  ValueId base = steps.add(grown, steps.number(type, attributes.number("bias", 1)));
  return steps.done({steps.div(x, steps.op(OpKind::Pow, {base, steps.number(type, attributes.number("beta", 0.75))}))});
}

}  // namespace hone::import
