#include <cmath>

#include "import/map/attention/attention_internal.h"

namespace hone::import {

namespace {

Result<Index> quotient(const Index& size, const Index& parts, const char* what) {
  if (auto exact = exact_quotient(size, parts)) return *exact;
  if (size.constant() && parts.constant())
    return error("{} {} do not divide among {} heads", size.text(), what, parts.text());
  return error("{} {} may not divide among {} heads; numbers would work", size.text(), what, parts.text());
}

}  // namespace

Result<Index> head_width(const Index& packed, int64_t heads) {
  if (heads < 1) return error("it has {} heads; a positive number is needed", heads);
  return quotient(packed, heads, "values per position");
}

Result<ValueId> split_heads(Node& node, ValueId packed, int64_t heads) {
  const ir::Shape shape = node.type_of(packed).shape;
  HONE_TRY(Index width, head_width(shape[2], heads));
  HONE_TRY(ValueId apart, node.reshape(packed, {shape[0], shape[1], heads, width}));
  return node.emit(OpKind::Transpose, {apart}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
}

Result<AttentionHeads> attention_heads(Node& node, ValueId query, ValueId key, ValueId value) {
  HONE_PASS(node.match(query, 0, key, 0));
  HONE_PASS(node.match(query, 0, value, 0));
  HONE_PASS(node.match(query, 3, key, 3));
  HONE_PASS(node.match(key, 1, value, 1));
  HONE_PASS(node.match(key, 2, value, 2));
  HONE_PASS(quotient(node.type_of(query).shape[1], node.type_of(key).shape[1], "query heads"));
  return AttentionHeads{query, key, value};
}

AttentionSizes sizes_of(const Node& node, const AttentionHeads& heads) {
  const ir::Shape &q = node.type_of(heads.query).shape, &k = node.type_of(heads.key).shape,
                  &v = node.type_of(heads.value).shape;
  return {q[0], q[1], k[1], *exact_quotient(q[1], k[1]), q[2], k[2], q[3], v[3]};
}

DType attention_type(Node& node, const AttentionHeads& heads) {
  for (ValueId id : {heads.query, heads.key, heads.value})
    if (node.type_of(id).dtype == DType::F64) return DType::F64;
  return DType::F32;
}

namespace {

ValueId scale_of(Node& node, Steps& steps, const Index& depth, DType type) {
  if (node.attributes().has("scale")) return steps.number(type, node.attributes().number("scale", 1));
  if (auto number = depth.constant()) return steps.number(type, 1 / std::sqrt(static_cast<double>(*number)));
  return steps.op(OpKind::Reciprocal, {steps.op(OpKind::Sqrt, {steps.cast(steps.size(depth), type)})});
}

}  // namespace

// The queries of a group of heads are rows of one product with the key head that they share.
ValueId attention_scores(Node& node, Steps& steps, const AttentionHeads& heads, DType type) {
  AttentionSizes sizes = sizes_of(node, heads);
  ValueId scaled = steps.mul(steps.cast(heads.query, type), scale_of(node, steps, sizes.depth, type));
  ValueId rows = steps.reshape(scaled, {sizes.batch, sizes.heads, sizes.group * sizes.queries, sizes.depth});
  ValueId columns = steps.transpose(steps.cast(heads.key, type), {0, 1, 3, 2});
  return steps.reshape(steps.op(OpKind::MatMul, {rows, columns}),
                       {sizes.batch, sizes.query_heads, sizes.queries, sizes.keys});
}

ValueId attention_result(Node& node, Steps& steps, const AttentionHeads& heads, ValueId probabilities) {
  AttentionSizes sizes = sizes_of(node, heads);
  ValueId rows = steps.reshape(probabilities, {sizes.batch, sizes.heads, sizes.group * sizes.queries, sizes.keys});
  ValueId value = steps.cast(heads.value, steps.dtype(probabilities));
  return steps.reshape(steps.op(OpKind::MatMul, {rows, value}),
                       {sizes.batch, sizes.query_heads, sizes.queries, sizes.width});
}

}  // namespace hone::import
