#include "import/node_internal.h"

namespace hone::import {

using ir::OpKind;
using ir::ValueId;

namespace {

Status check_plain(Node& node) {
  Attributes& attributes = node.attributes();
  if (node.has(4))
    return error("sequence lengths (sequence_lens) are not supported; padded batches of equal length would work");
  if (node.has(7)) return error("peephole weights (P) are not supported");
  for (const char* name : {"activations", "activation_alpha", "activation_beta", "clip"})
    if (attributes.has(name)) return error("attribute '{}' is not supported; the default activations would work", name);
  if (attributes.integer("input_forget", 0) != 0) return error("input_forget is not supported");
  if (attributes.integer("layout", 0) != 0) return error("layout = 1 is not supported; layout = 0 would work");
  if (node.rank(0) != 3) return error("its input has rank {}, not 3", node.rank(0));
  for (size_t k : {1, 2, 5, 6})
    if (node.has(k) && node.rank(k) != 3) return error("input number {} has rank {}, not 3", k, node.rank(k));
  return Done{};
}

// Row `number` of the first dimension, which counts directions.
Result<ValueId> direction_part(Node& node, ValueId value, int64_t number) {
  if (value == ir::kAbsent) return value;
  ir::TensorType type = node.type_of(value);
  type.shape[0] = 1;
  std::vector<int64_t> starts(type.shape.size(), 0);
  starts[0] = number;
  return node.emit(OpKind::Slice, {value}, {{"starts", starts}}, type);
}

Result<Values> one_direction(Node& node, const Values& inputs, const std::string& direction) {
  AttributeMap map{{"direction", direction}};
  if (auto hidden = node.type_of(inputs[2]).shape[2].constant()) map["hidden_size"] = *hidden;
  return node.emit_many(OpKind::Lstm, inputs, map, {}, std::vector<ir::TensorType>(3));
}

}  // namespace

Result<Values> map_lstm(Node& node) {
  HONE_PASS(check_plain(node));
  Values inputs = node.inputs();
  for (size_t k : {5, 6})
    if (node.has(k)) HONE_PASS(node.match(inputs[0], 1, inputs[k], 1));
  HONE_PASS(node.match_open(inputs[1], 2, inputs[0], 2));
  HONE_PASS(node.match_open(inputs[1], 1, inputs[2], 1));
  std::string direction = node.attributes().text("direction", "forward");
  if (direction != "bidirectional") return one_direction(node, inputs, direction);
  Values results[2];
  for (int64_t number : {0, 1}) {
    Values part{inputs[0]};
    for (size_t k = 1; k < inputs.size(); ++k) {
      HONE_TRY(ValueId value, direction_part(node, inputs[k], number));
      part.push_back(value);
    }
    HONE_TRY(results[number], one_direction(node, part, number == 0 ? "forward" : "reverse"));
  }
  Values joined;
  for (size_t k = 0; k < 3; ++k) {
    HONE_TRY(ValueId both,
             node.emit(OpKind::Concat, {results[0][k], results[1][k]}, {{"axis", int64_t{k == 0 ? 1 : 0}}}));
    joined.push_back(both);
  }
  return joined;
}

}  // namespace hone::import
