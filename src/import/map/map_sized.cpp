// Operators whose results have sizes that depend on data: computed with room for the most there can be, then trimmed.
#include "import/node_internal.h"

namespace hone::import {

namespace {

const ir::TensorType kOneInteger{ir::DType::I64, {1}};

// Where x is not zero: [rank, as many as there are].
Result<ValueId> positions_of(Node& node, ValueId x) {
  ir::Shape shape = node.type_of(x).shape;
  ir::TensorType all{ir::DType::I64, {static_cast<int64_t>(shape.size()), product(shape)}};
  HONE_TRY(Values found, node.emit_many(OpKind::NonZero, {x}, {}, {}, {all, kOneInteger}));
  return node.trim(found[0], found[1], 1);
}

}  // namespace

Result<Values> map_nonzero(Node& node) {
  ValueId x = node.input(0);
  // ONNX leaves scalars to NumPy, for which they are vectors of one.
  if (node.rank(0) == 0) {
    HONE_TRY(x, node.reshape(x, {1}));
  }
  return Node::single(positions_of(node, x));
}

Result<Values> map_compress(Node& node) {
  if (node.rank(1) != 1 || node.type(1).dtype != ir::DType::Bool)
    return error("its condition is not a vector of booleans");
  ValueId x = node.input(0);
  int axis = 0;
  if (node.attributes().has("axis")) {
    HONE_TRY(axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  } else {
    HONE_TRY(x, node.reshape(x, {product(node.shape(0))}));
  }
  HONE_TRY(ValueId positions, positions_of(node, node.input(1)));
  HONE_TRY(ValueId indices, node.reshape(positions, {node.type_of(positions).shape[1]}));
  return Node::single(node.emit(OpKind::Gather, {x, indices}, {{"axis", int64_t{axis}}}));
}

Result<Values> map_unique(Node& node) {
  ValueId x = node.input(0);
  int axis = 0;
  if (node.attributes().has("axis")) {
    HONE_TRY(axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  } else {
    HONE_TRY(x, node.reshape(x, {product(node.shape(0))}));
  }
  ir::TensorType type = node.type_of(x);
  Index size = type.shape[static_cast<size_t>(axis)];
  ir::TensorType numbers{ir::DType::I64, {size}};
  AttributeMap attributes{{"axis", int64_t{axis}}, {"sorted", node.attributes().integer("sorted", 1)}};
  HONE_TRY(Values found,
           node.emit_many(OpKind::Unique, {x}, attributes, {}, {type, numbers, numbers, numbers, kOneInteger}));
  HONE_TRY(ValueId values, node.trim(found[0], found[4], static_cast<size_t>(axis)));
  Values results{values, ir::kAbsent, found[2], ir::kAbsent};
  for (size_t k : {1, 3}) {
    HONE_TRY(results[k], node.trim(found[k], found[4], 0));
    HONE_PASS(node.match(values, static_cast<size_t>(axis), results[k], 0));
  }
  return results;
}

namespace {

// A limit of NonMaxSuppression: one number, or what it is if it is not given.
Result<ValueId> limit(Node& node, size_t k, ir::DType type, double otherwise) {
  if (!node.has(k)) return node.scalar(type, otherwise);
  if (node.type(k).dtype != type || !product(node.shape(k)).is(1))
    return error("input number {} is not one {}", k, name_of(type));
  return node.reshape(node.input(k), {});
}

}  // namespace

Result<Values> map_non_max_suppression(Node& node) {
  if (node.rank(0) != 3 || node.rank(1) != 3 || node.type(0).dtype != ir::DType::F32 ||
      node.type(1).dtype != ir::DType::F32)
    return error("boxes and scores must be f32 of rank 3");
  ValueId boxes = node.input(0), scores = node.input(1);
  HONE_PASS(node.match(boxes, 0, scores, 0));
  HONE_PASS(node.match(boxes, 1, scores, 2));
  HONE_TRY(ValueId most, limit(node, 2, ir::DType::I64, 0));
  HONE_TRY(ValueId overlap, limit(node, 3, ir::DType::F32, 0));
  HONE_TRY(ValueId score, limit(node, 4, ir::DType::F32, 0));
  ir::Shape shape = node.type_of(scores).shape;
  Index of_class = shape[2];
  if (auto known = node.numbers(2); known && known->size() == 1 && (*known)[0] >= 0 && (*known)[0] < kLargeNumber)
    of_class = min(of_class, static_cast<int64_t>((*known)[0]));
  ir::TensorType selected{ir::DType::I64, {shape[0] * shape[1] * of_class, 3}};
  AttributeMap attributes{{"center_point_box", node.attributes().integer("center_point_box", 0)},
                          {"scored", int64_t{node.has(4) ? 1 : 0}}};
  HONE_TRY(Values found, node.emit_many(OpKind::NonMaxSuppression, {boxes, scores, most, overlap, score}, attributes,
                                        {}, {selected, kOneInteger}));
  return Node::single(node.trim(found[0], found[1], 0));
}

}  // namespace hone::import
