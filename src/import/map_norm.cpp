#include "import/node_internal.h"

namespace hone::import {

using ir::Index;
using ir::OpKind;
using ir::ValueId;

// Until opset 12 everything from the axis on counts as one dimension.
Result<Values> map_softmax(Node& node) {
  bool old = node.opset() < 13;
  ir::Shape shape = node.shape(0);
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", old ? 1 : -1), shape.size()));
  if (!old || static_cast<size_t>(axis) + 1 == shape.size())
    return Node::single(node.emit(node.kind(), {node.input(0)}, {{"axis", int64_t{axis}}}));
  ir::Shape flat{ir::product({shape.begin(), shape.begin() + axis}), ir::product({shape.begin() + axis, shape.end()})};
  HONE_TRY(ValueId value, node.reshape(node.input(0), flat));
  HONE_TRY(value, node.emit(node.kind(), {value}, {{"axis", int64_t{1}}}));
  return Node::single(node.reshape(value, shape));
}

Result<Values> map_layer_norm(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -1), node.rank(0)));
  if (node.wants(1) || node.wants(2)) return error("its outputs Mean and InvStdDev are not supported");
  AttributeMap map{{"axis", int64_t{axis}}, {"epsilon", node.attributes().number("epsilon", 1e-5F)}};
  return Node::single(node.emit(node.kind(), node.inputs(), map));
}

Result<Values> map_batch_norm(Node& node) {
  if (node.attributes().integer("training_mode", 0) != 0) return error("training_mode is not supported; inference would work");
  if (node.attributes().integer("spatial", 1) == 0) return error("spatial = 0 is not supported");
  for (size_t k = 1; k < node.output_count(); ++k)
    if (node.wants(k)) return error("its outputs of training are not supported; inference would work");
  double epsilon = node.attributes().number("epsilon", 1e-5F);
  return Node::single(node.emit(OpKind::BatchNormalization, node.inputs(), {{"epsilon", epsilon}}));
}

Result<Values> map_instance_norm(Node& node) {
  double epsilon = node.attributes().number("epsilon", 1e-5F);
  return Node::single(node.emit(OpKind::InstanceNormalization, node.inputs(), {{"epsilon", epsilon}}));
}

Result<Values> map_dropout(Node& node) {
  if (node.has(2)) {
    auto training = node.numbers(2);
    if (!training || training->size() != 1 || (*training)[0] != 0) return error("training mode is not supported; inference would work");
  }
  HONE_TRY(ValueId value, node.emit(OpKind::Identity, {node.input(0)}));
  if (!node.wants(1)) return Values{value};
  HONE_TRY(ValueId mask, node.emit(OpKind::Fill, {}, {{"value", 1.0}, {"dtype", std::string("bool")}}, {ir::DType::Bool, node.shape(0)}));
  return Values{value, mask};
}

}  // namespace hone::import
