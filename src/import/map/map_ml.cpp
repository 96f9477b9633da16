// Operators of the domain ai.onnx.ml that are tensor programs.
#include "import/node_internal.h"

namespace hone::import {

// 1 above the threshold, else 0.
Result<Values> map_binarizer(Node& node) {
  ir::DType type = node.type(0).dtype;
  if (!is_float(type) && !is_integer(type)) return error("is not defined on {} tensors", name_of(type));
  ir::DType real = is_float(type) ? type : ir::DType::F64;
  HONE_TRY(ValueId x, node.cast(node.input(0), real));
  HONE_TRY(ValueId threshold, node.scalar(real, node.attributes().number("threshold", 0)));
  HONE_TRY(ValueId above, node.emit(OpKind::Greater, {x, threshold}));
  return Node::single(node.cast(above, type));
}

// Elements of the last dimension, by their numbers. A vector becomes a matrix of one row.
Result<Values> map_array_feature_extractor(Node& node) {
  if (node.rank(0) == 0) return error("its input is a scalar, which has no features");
  ir::Shape shape = node.shape(0);
  if (shape.size() == 1) shape.insert(shape.begin(), ir::Index(1));
  HONE_TRY(ValueId x, node.reshape(node.input(0), shape));
  HONE_TRY(ValueId numbers, node.reshape(node.input(1), {product(node.shape(1))}));
  return Node::single(node.emit(OpKind::Gather, {x, numbers}, {{"axis", static_cast<int64_t>(shape.size()) - 1}}));
}

}  // namespace hone::import
