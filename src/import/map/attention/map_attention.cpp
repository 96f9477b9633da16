#include <limits>

#include "import/map/attention/attention_internal.h"

namespace hone::import {

namespace {

// Operands whose sizes agree.
struct Operands {
  AttentionHeads heads;
  ValueId mask, lengths;  // kAbsent if not given
};

Result<ValueId> with_heads_apart(Node& node, size_t k, const char* heads) {
  if (node.rank(k) == 4) return node.input(k);
  if (!node.attributes().has(heads)) return error("operands of rank 3 need the attribute {}", heads);
  return split_heads(node, node.input(k), node.attributes().integer(heads, 0));
}

// Past keys or values stand before the new ones.
Result<ValueId> after_past(Node& node, size_t k, ValueId fresh) {
  ValueId past = node.input(k);
  if (node.rank(k) != 4) return error("input number {} has rank {}, not 4", k, node.rank(k));
  for (size_t d : {0, 1, 3}) HONE_PASS(node.match(fresh, d, past, d));
  return node.emit(OpKind::Concat, {past, fresh}, {{"axis", int64_t{2}}});
}

// From opset 24 on a mask with too few columns hides the keys that it has none for.
Result<ValueId> with_all_columns(Node& node, ValueId mask, const Index& keys) {
  const ir::TensorType type = node.type_of(mask);
  size_t rank = type.shape.size();
  const Index& columns = type.shape[rank - 1];
  auto missing = (keys - columns).constant();
  if (!missing && columns.constant())
    return error("its mask has {} columns for the run-time length {}; as many columns would work", columns.text(),
                 keys.text());
  if (missing.value_or(0) <= 0) return mask;
  std::vector<int64_t> pads(2 * rank, 0);
  pads.back() = *missing;
  double hidden = type.dtype == DType::Bool ? 0 : -std::numeric_limits<double>::infinity();
  return node.emit(OpKind::Pad, {mask}, {{"pads", pads}, {"mode", std::string("constant")}, {"value", hidden}});
}

// A mask broadcasts to [batch, query heads, queries, keys].
Result<ValueId> mask_of(Node& node, ValueId query, ValueId key) {
  size_t rank = node.rank(3);
  if (rank < 2 || rank > 4) return error("its mask has rank {}; 2 to 4 are possible", rank);
  ValueId mask = node.input(3);
  if (node.opset() >= 24) {
    HONE_TRY(mask, with_all_columns(node, mask, node.type_of(key).shape[2]));
  }
  const std::pair<ValueId, size_t> sizes[] = {{query, 0}, {query, 1}, {query, 2}, {key, 2}};
  for (size_t d = 0; d < rank; ++d) {
    auto [value, dimension] = sizes[4 - rank + d];
    if (node.must_equal(node.type_of(mask).shape[d], node.type_of(value).shape[dimension]))
      HONE_PASS(node.match(value, dimension, mask, d));
  }
  return mask;
}

Result<Operands> operands_of(Node& node) {
  size_t rank = node.rank(0);
  if ((rank != 3 && rank != 4) || node.rank(1) != rank || node.rank(2) != rank)
    return error("its operands have ranks {}, {} and {}; all 3 or all 4 are needed", rank, node.rank(1), node.rank(2));
  if (node.has(4) != node.has(5)) return error("past_key and past_value must be given together");
  if (node.has(4) && node.has(6)) return error("nonpad_kv_seqlen and past_key exclude each other");
  if (node.has(6) && node.rank(6) != 1) return error("nonpad_kv_seqlen has rank {}, not 1", node.rank(6));
  HONE_TRY(ValueId query, with_heads_apart(node, 0, "q_num_heads"));
  HONE_TRY(ValueId key, with_heads_apart(node, 1, "kv_num_heads"));
  HONE_TRY(ValueId value, with_heads_apart(node, 2, "kv_num_heads"));
  if (node.has(4)) {
    HONE_TRY(key, after_past(node, 4, key));
    HONE_TRY(value, after_past(node, 5, value));
  }
  HONE_TRY(AttentionHeads heads, attention_heads(node, query, key, value));
  Operands operands{heads, ir::kAbsent, node.input(6)};
  if (node.has(3)) {
    HONE_TRY(operands.mask, mask_of(node, heads.query, heads.key));
  }
  if (node.has(6)) HONE_PASS(node.match(heads.query, 0, operands.lengths, 0));
  return operands;
}

ValueId both_of(Steps& steps, ValueId a, ValueId b) {
  return a == ir::kAbsent ? b : steps.op(OpKind::And, {a, b});
}

// Scores with the mask added and -∞ where a query must not look: after its own place if causal, and beyond a batch's length.
ValueId masked(Node& node, Steps& steps, const Operands& operands, ValueId scores) {
  AttentionSizes sizes = sizes_of(node, operands.heads);
  ValueId seen = ir::kAbsent;
  if (operands.mask != ir::kAbsent && steps.dtype(operands.mask) == DType::Bool)
    seen = operands.mask;
  else if (operands.mask != ir::kAbsent)
    scores = steps.add(scores, steps.cast(operands.mask, steps.dtype(scores)));
  if (node.attributes().integer("is_causal", 0) != 0) {
    ValueId row = steps.positions(sizes.queries, 1);
    if (node.has(4)) row = steps.add(row, steps.size(node.shape(4)[2]));
    seen = both_of(steps, seen, steps.op(OpKind::LessOrEqual, {steps.positions(sizes.keys), row}));
  }
  if (operands.lengths != ir::kAbsent) {
    ValueId lengths = steps.reshape(steps.cast(operands.lengths, DType::I64), {sizes.batch, 1, 1, 1});
    seen = both_of(steps, seen, steps.op(OpKind::Less, {steps.positions(sizes.keys), lengths}));
  }
  if (seen == ir::kAbsent) return scores;
  return steps.where(seen, scores, steps.number(steps.dtype(scores), -std::numeric_limits<double>::infinity()));
}

ValueId softcapped(Node& node, Steps& steps, ValueId scores) {
  double cap = node.attributes().number("softcap", 0);
  if (!(cap > 0)) return scores;
  ValueId limit = steps.number(steps.dtype(scores), cap);
  return steps.mul(steps.op(OpKind::Tanh, {steps.div(scores, limit)}), limit);
}

// Softmax is computed in the type asked for if that is wider than the scores'.
Result<DType> softmax_type(Node& node, DType type) {
  if (!node.attributes().has("softmax_precision")) return type;
  auto wanted = dtype_of(static_cast<int>(node.attributes().integer("softmax_precision", 1)));
  if (!wanted) return error("its softmax_precision {}", wanted.problem().message);
  return *wanted == DType::F64 ? DType::F64 : type;
}

}  // namespace

Result<Values> map_attention(Node& node) {
  for (size_t k : {0, 1, 2})
    if (!is_float(node.type(k).dtype)) return error("input number {} is {}", k, name_of(node.type(k).dtype));
  int64_t mode = node.attributes().integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) return error("qk_matmul_output_mode is {}; 0 to 3 are known", mode);
  HONE_TRY(Operands operands, operands_of(node));
  const AttentionHeads& heads = operands.heads;
  DType type = attention_type(node, heads), result_type = node.type(0).dtype;
  HONE_TRY(DType inner, softmax_type(node, type));
  Steps steps(node);
  ValueId scores = attention_scores(node, steps, heads, type);
  ValueId capped = softcapped(node, steps, scores);
  ValueId biased = masked(node, steps, operands, capped);
  ValueId probabilities = steps.op(OpKind::Softmax, {steps.cast(biased, inner)}, {{"axis", int64_t{3}}});
  ValueId result = steps.cast(attention_result(node, steps, heads, probabilities), result_type);
  AttentionSizes sizes = sizes_of(node, heads);
  if (node.rank(0) == 3)
    result = steps.reshape(steps.transpose(result, {0, 2, 1, 3}),
                           {sizes.batch, sizes.queries, sizes.query_heads * sizes.width});
  ValueId stages[] = {scores, capped, biased, probabilities};
  Values results{result, heads.key, heads.value};
  if (node.wants(3)) results.push_back(steps.cast(stages[mode], result_type));
  return steps.done(results);
}

}  // namespace hone::import
