#include "import/map/norm/test_mode_internal.h"
#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

// Since opset 15 scale, bias and the statistics may be of wider types than the input: the widest computes.
ir::DType widest_type(Node& node) {
  ir::DType widest = node.type(0).dtype;
  for (size_t k = 1; k < node.input_count(); ++k) {
    ir::DType type = node.type(k).dtype;
    if (type == widest) continue;
    widest = type == ir::DType::F64 || widest == ir::DType::F64 ? ir::DType::F64 : ir::DType::F32;
  }
  return widest;
}

struct Statistics {
  ValueId mean, variance;
};

// Of each channel, over batch and space.
Statistics channel_statistics(Steps& steps, ValueId x, const ir::Shape& shape) {
  std::vector<int64_t> axes;
  for (size_t d = 0; d < shape.size(); ++d)
    if (d != 1) axes.push_back(static_cast<int64_t>(d));
  ValueId mean = steps.reduce(OpKind::ReduceMean, x, axes);
  ValueId centred = steps.sub(x, mean);
  ValueId variance = steps.reduce(OpKind::ReduceMean, steps.mul(centred, centred), axes, false);
  return {steps.reshape(mean, {shape[1]}), variance};
}

// The running statistic keeps `momentum` of what it was.
ValueId running(Steps& steps, ValueId before, ValueId now, double momentum) {
  ir::DType type = steps.dtype(now);
  ValueId kept = steps.mul(before, steps.number(type, momentum));
  return steps.add(kept, steps.mul(now, steps.number(type, 1 - momentum)));
}

}  // namespace

Result<Values> map_batch_norm(Node& node) {
  HONE_PASS(expect_test_mode(node));
  Attributes& attributes = node.attributes();
  if (attributes.integer("spatial", 1) == 0) return error("spatial = 0 is not supported; spatial = 1 would work");
  if (node.rank(0) < 2) return error("its input has rank {}; at least 2 is needed", node.rank(0));
  for (size_t k = 0; k < 5; ++k)
    if (!is_float(node.type(k).dtype)) return error("input number {} is {}", k, name_of(node.type(k).dtype));
  AttributeMap epsilon{{"epsilon", attributes.number("epsilon", 1e-5F)}};
  ir::DType type = widest_type(node);
  Values inputs = node.inputs();
  for (size_t k = 1; k < 5; ++k) {
    if (node.rank(k) != 1) return error("input number {} has rank {}, not 1", k, node.rank(k));
    HONE_PASS(node.match(inputs[0], 1, inputs[k], 0));
  }
  Steps steps(node);
  for (ValueId& input : inputs) input = steps.cast(input, type);
  Values results;
  if (attributes.integer("training_mode", 0) != 0) {
    Statistics now = channel_statistics(steps, inputs[0], node.shape(0));
    double momentum = attributes.number("momentum", 0.9F);
    results = {running(steps, inputs[3], now.mean, momentum), running(steps, inputs[4], now.variance, momentum)};
    for (ValueId& result : results) result = steps.cast(result, node.type(3).dtype);
    inputs[3] = now.mean;
    inputs[4] = now.variance;
  }
  ValueId y = steps.op(OpKind::BatchNormalization, inputs, epsilon);
  results.insert(results.begin(), steps.cast(y, node.type(0).dtype));
  return steps.done(results);
}

}  // namespace hone::import
