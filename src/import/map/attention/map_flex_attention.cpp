#include <algorithm>

#include "import/map/attention/attention_internal.h"

namespace hone::import {

namespace {

// A graph of the node with one input and one output of the same type, put in its place. An error without a text says
// that the reasons were told already.
Result<ValueId> modified(Node& node, const char* name, ValueId value) {
  if (!node.attributes().has(name)) return value;
  const onnx::GraphProto* graph = node.attributes().graph(name);
  if (!graph || graph->input_size() != 1 || graph->output_size() != 1)
    return error("its {} must be a graph with one input and one output", name);
  Scope scope{node.scope().frame, &node.scope(), {}};
  scope.names[graph->input(0).name()] = Term{value, std::nullopt, false, {}};
  Importer::Open open(node.importer(), scope);
  node.importer().import_graph(scope, *graph, node.depth() + 1);
  std::vector<Term> results = node.importer().output_terms(scope, *graph, node.op_type());
  if (results[0].refused) return Error{};
  ValueId result = node.importer().value_of(*scope.frame, results[0]);
  if (node.type_of(result).dtype != node.type_of(value).dtype ||
      node.type_of(result).shape.size() != node.type_of(value).shape.size())
    return error("the result of its {} is of another type than its input", name);
  for (size_t d = 0; d < node.type_of(value).shape.size(); ++d) HONE_PASS(node.match(value, d, result, d));
  return result;
}

Result<DType> inner_type(Node& node, DType type) {
  if (!node.attributes().has("softmax_precision")) return type;
  auto wanted = dtype_of(static_cast<int>(node.attributes().integer("softmax_precision", 1)));
  if (!wanted) return error("its softmax_precision {}", wanted.problem().message);
  if (!is_float(*wanted)) return error("its softmax_precision is {}, no floating-point type", name_of(*wanted));
  return *wanted;
}

}  // namespace

Result<Values> map_flex_attention(Node& node) {
  for (size_t k : {0, 1, 2}) {
    if (node.rank(k) != 4) return error("input number {} has rank {}, not 4", k, node.rank(k));
    if (!is_float(node.type(k).dtype)) return error("input number {} is {}", k, name_of(node.type(k).dtype));
  }
  HONE_TRY(AttentionHeads heads, attention_heads(node, node.input(0), node.input(1), node.input(2)));
  DType type = attention_type(node, heads);
  HONE_TRY(DType inner, inner_type(node, type));
  Steps steps(node);
  ValueId scores = steps.cast(attention_scores(node, steps, heads, type), inner);
  HONE_PASS(steps.done({}));
  HONE_TRY(scores, modified(node, "score_mod", scores));
  ValueId probabilities = steps.op(OpKind::Softmax, {scores}, {{"axis", int64_t{3}}});
  HONE_PASS(steps.done({}));
  HONE_TRY(probabilities, modified(node, "prob_mod", probabilities));
  return steps.done({steps.cast(attention_result(node, steps, heads, probabilities), node.type(2).dtype)});
}

}  // namespace hone::import
