#include <cmath>

#include "import/map/attention/attention_internal.h"

namespace hone::import {

namespace {

// [batch, length, heads * width] as [batch, length, heads, width], or with further sizes of the heads.
Result<ValueId> heads_apart(Node& node, Steps& steps, size_t k, const ir::Shape& heads) {
  if (node.rank(k) != 3) return error("input number {} has rank {}, not 3", k, node.rank(k));
  HONE_TRY(Index width, head_width(node.shape(k)[2], *ir::product(heads).constant()));
  ir::Shape shape{node.shape(k)[0], node.shape(k)[1]};
  shape.insert(shape.end(), heads.begin(), heads.end());
  shape.push_back(width);
  return steps.reshape(steps.cast(node.input(k), DType::F32), shape);
}

Status check_update_rule(Node& node) {
  std::string rule = node.attributes().text("update_rule", "gated_delta");
  bool gated = rule == "gated" || rule == "gated_delta", corrected = rule == "delta" || rule == "gated_delta";
  if (!gated && !corrected && rule != "linear")
    return error("its update_rule '{}' is unknown; linear, gated, delta and gated_delta are known", rule);
  if (node.has(4) != gated) return error("update_rule '{}' {} decay", rule, gated ? "needs" : "takes no");
  if (node.has(5) != corrected) return error("update_rule '{}' {} beta", rule, corrected ? "needs" : "takes no");
  return Done{};
}

Result<double> linear_scale(Node& node, const Index& depth) {
  double scale = node.attributes().number("scale", 0);
  if (scale != 0) return scale;
  if (!depth.constant())
    return error("the width {} of a head is known only at run time; scale would work", depth.text());
  return 1 / std::sqrt(static_cast<double>(*depth.constant()));
}

// Brings sizes that must be equal to one name. Decay may have one value per head, beta one for all heads.
Status align(Node& node, Values& inputs) {
  ValueId query = inputs[0];
  if (node.has(3) && node.rank(3) != 4) return error("its past_state has rank {}, not 4", node.rank(3));
  if (node.has(5) && node.rank(5) != 3) return error("its beta has rank {}, not 3", node.rank(5));
  for (size_t k : {1, 2, 4, 5})
    for (size_t d : {0, 1})
      if (inputs[k] != ir::kAbsent) HONE_PASS(node.match(query, d, inputs[k], d));
  HONE_PASS(node.match(query, 4, inputs[1], 3));
  auto is_one = [&](size_t k) { return node.type_of(inputs[k]).shape.back().is(1); };
  if (node.has(4) && !is_one(4)) HONE_PASS(node.match(query, 4, inputs[4], 3));
  if (node.has(5) && !is_one(5)) HONE_PASS(node.match(query, 2, inputs[5], 2));
  if (!node.has(3)) return Done{};
  HONE_PASS(node.match(query, 0, inputs[3], 0));
  HONE_PASS(node.match(query, 2, inputs[3], 1));
  HONE_PASS(node.match(query, 4, inputs[3], 2));
  return node.match(inputs[2], 3, inputs[3], 3);
}

}  // namespace

// The recurrence is computed in f32, whatever the types of the operands.
Result<Values> map_linear_attention(Node& node) {
  HONE_PASS(check_update_rule(node));
  int64_t query_heads = node.attributes().integer("q_num_heads", 0),
          heads = node.attributes().integer("kv_num_heads", 0);
  if (heads < 1 || query_heads < 1 || query_heads % heads != 0)
    return error("{} query heads do not divide among {} heads", query_heads, heads);
  Steps steps(node);
  Values inputs(6, ir::kAbsent);
  HONE_TRY(inputs[0], heads_apart(node, steps, 0, {heads, query_heads / heads}));
  for (size_t k : {1, 2, 4}) {
    if (!node.has(k)) continue;
    HONE_TRY(inputs[k], heads_apart(node, steps, k, {heads}));
  }
  for (size_t k : {3, 5})
    if (node.has(k)) inputs[k] = steps.cast(node.input(k), DType::F32);
  HONE_PASS(steps.done({}));
  HONE_PASS(align(node, inputs));
  HONE_TRY(double scale, linear_scale(node, node.type_of(inputs[0]).shape[4]));
  HONE_TRY(Values results,
           node.emit_many(OpKind::LinearAttention, inputs, {{"scale", scale}}, {}, std::vector<ir::TensorType>(2)));
  const ir::Shape shape = node.type_of(results[0]).shape;
  ValueId packed = steps.reshape(results[0], {shape[0], shape[1], shape[2] * shape[3] * shape[4]});
  DType state_type = node.type(node.has(3) ? 3 : 0).dtype;
  return steps.done({steps.cast(packed, node.type(0).dtype), steps.cast(results[1], state_type)});
}

}  // namespace hone::import
