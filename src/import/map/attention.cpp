#include <cmath>

#include "import/map/attention_internal.h"

namespace hone::import {

using ir::DType;
using ir::Index;
using ir::OpKind;
using ir::ValueId;

Result<ValueId> split_heads(Node& node, ValueId packed, int64_t heads) {
  const ir::Shape shape = node.type_of(packed).shape;
  auto width = heads > 0 ? exact_quotient(shape[2], heads) : std::nullopt;
  if (!width) return error("{} values per position do not divide into {} heads", shape[2].text(), heads);
  HONE_TRY(ValueId apart, node.reshape(packed, {shape[0], shape[1], heads, *width}));
  return node.emit(OpKind::Transpose, {apart}, {{"perm", std::vector<int64_t>{0, 2, 1, 3}}});
}

Result<AttentionHeads> attention_heads(Node& node, ValueId query, ValueId key, ValueId value) {
  HONE_PASS(node.match(query, 0, key, 0));
  HONE_PASS(node.match(query, 0, value, 0));
  HONE_PASS(node.match(query, 3, key, 3));
  HONE_PASS(node.match(key, 1, value, 1));
  HONE_PASS(node.match(key, 2, value, 2));
  const ir::Shape &q = node.type_of(query).shape, &k = node.type_of(key).shape, &v = node.type_of(value).shape;
  auto group = exact_quotient(q[1], k[1]);
  if (!group) return error("{} query heads do not divide among {} key heads", q[1].text(), k[1].text());
  return AttentionHeads{query, key, value, q[0], q[1], k[1], *group, q[2], k[2], q[3], v[3]};
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
  ValueId scaled = steps.mul(steps.cast(heads.query, type), scale_of(node, steps, heads.depth, type));
  ValueId rows = steps.reshape(scaled, {heads.batch, heads.heads, heads.group * heads.queries, heads.depth});
  ValueId columns = steps.transpose(steps.cast(heads.key, type), {0, 1, 3, 2});
  return steps.reshape(steps.op(OpKind::MatMul, {rows, columns}),
                       {heads.batch, heads.query_heads, heads.queries, heads.keys});
}

ValueId attention_result(Steps& steps, const AttentionHeads& heads, ValueId probabilities) {
  ValueId rows = steps.reshape(probabilities, {heads.batch, heads.heads, heads.group * heads.queries, heads.keys});
  ValueId value = steps.cast(heads.value, steps.dtype(probabilities));
  return steps.reshape(steps.op(OpKind::MatMul, {rows, value}),
                       {heads.batch, heads.query_heads, heads.queries, heads.width});
}

}  // namespace hone::import
