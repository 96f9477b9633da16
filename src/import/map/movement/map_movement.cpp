#include <cmath>

#include "import/node_internal.h"

namespace hone::import {

// One index known when the model is read is a slice, which costs nothing.
Result<Values> map_gather(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  const Known* indices = node.known(1);
  if (!indices || indices->rank() != 0 || !indices->elements[0].constant())
    return Node::single(node.emit(OpKind::Gather, {node.input(0), node.input(1)}, {{"axis", int64_t{axis}}}));
  if (!is_reasonable(indices->elements[0])) return error("index {} is out of bounds", indices->elements[0].text());
  int64_t index = *indices->elements[0].constant();
  ir::Shape shape = node.shape(0);
  Index& dim = shape[static_cast<size_t>(axis)];
  auto size = dim.constant();
  if (size && (index < -*size || index >= *size)) return error("index {} is outside a dimension of {}", index, *size);
  std::vector<int64_t> starts(shape.size(), 0);
  starts[static_cast<size_t>(axis)] = size && index < 0 ? index + *size : index;
  // One element if there is such an index, else none, which the Reshape below finds out.
  Index reach = index < 0 ? dim + index + 1 : dim - index;
  dim = max(Index(0), min(Index(1), reach));
  HONE_TRY(ValueId slice, node.emit(OpKind::Slice, {node.input(0)}, {{"starts", starts}}, {node.type(0).dtype, shape}));
  shape.erase(shape.begin() + axis);
  return Node::single(node.reshape(slice, shape));
}

Result<Values> map_gather_elements(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  return Node::single(node.emit(OpKind::GatherElements, {node.input(0), node.input(1)}, {{"axis", int64_t{axis}}}));
}

namespace {

// At the begin of every dimension, then at their ends.
Result<std::vector<Index>> pads_of(Node& node) {
  size_t rank = node.rank(0);
  const char* name = node.opset() < 2 ? "paddings" : "pads";
  std::vector<Index> given;
  if (node.attributes().has(name)) {
    for (int64_t pad : node.attributes().integers(name)) given.push_back(pad);
  } else {
    HONE_TRY(given, node.sizes(1, "pads"));
  }
  std::vector<Index> pads = given;
  if (node.has(3)) {
    HONE_TRY(std::vector<int64_t> axes, node.integers(3, "axes"));
    if (given.size() != 2 * axes.size()) return error("it has {} pads for {} axes", given.size(), axes.size());
    pads.assign(2 * rank, 0);
    for (size_t i = 0; i < axes.size(); ++i) {
      HONE_TRY(int axis, normal_axis(axes[i], rank));
      pads[static_cast<size_t>(axis)] = given[i];
      pads[static_cast<size_t>(axis) + rank] = given[i + axes.size()];
    }
  }
  for (const Index& pad : pads)
    if (!is_reasonable(pad)) return error("a pad of {} is out of bounds", pad.text());
  return pads;
}

// Pads that are known only at run time: tensors of the value are set before and behind. A size must not come out negative.
Result<ValueId> set_between(Node& node, ValueId x, const std::vector<Index>& pads, const AttributeMap& map) {
  size_t rank = node.rank(0);
  if (pads.size() != 2 * rank) return error("it has {} pads for {} dimensions", pads.size(), rank);
  if (std::get<std::string>(map.at("mode")) != "constant")
    return error("its pads depend on run-time sizes in mode '{}'; mode 'constant' would work",
                 std::get<std::string>(map.at("mode")));
  for (size_t d = 0; d < rank; ++d) {
    Values pieces;
    for (size_t end : {0, 1}) {
      const Index& pad = pads[d + end * rank];
      if (auto number = pad.constant(); number && *number < 0)
        return error("it pads by {} beside run-time sizes; pads above 0 would work", *number);
      ir::TensorType type = node.type_of(x);
      type.shape[d] = pad;
      AttributeMap fill{{"value", map.at("value")}, {"dtype", std::string(name_of(type.dtype))}};
      if (end == 1) pieces.push_back(x);
      if (pad.is(0)) continue;
      HONE_TRY(ValueId filled, node.emit(OpKind::Fill, {}, fill, type));
      pieces.push_back(filled);
    }
    if (pieces.size() == 1) continue;
    HONE_TRY(x, node.emit(OpKind::Concat, pieces, {{"axis", static_cast<int64_t>(d)}}));
  }
  return x;
}

}  // namespace

Result<Values> map_pad(Node& node) {
  HONE_TRY(std::vector<Index> pads, pads_of(node));
  AttributeMap map{{"mode", node.attributes().text("mode", "constant")},
                   {"value", node.attributes().number("value", 0)}};
  if (node.has(2)) {
    auto value = node.numbers(2);
    if (!value || value->size() != 1) return error("its constant_value depends on data; a constant would work");
    map["value"] = (*value)[0];
  }
  std::vector<int64_t> numbers;
  for (const Index& pad : pads)
    if (pad.constant()) numbers.push_back(*pad.constant());
  if (numbers.size() != pads.size()) return Node::single(set_between(node, node.input(0), pads, map));
  map["pads"] = numbers;
  return Node::single(node.emit(OpKind::Pad, {node.input(0)}, map));
}

namespace {

Result<Values> integer_range(Node& node, const Index& start, const Index& limit, int64_t delta) {
  Index span = delta > 0 ? limit - start : start - limit;
  Index length = max(Index(0), ceil_div(span, delta > 0 ? delta : -delta));
  ir::DType type = node.type(0).dtype;
  AttributeMap map{{"start", start.constant().value_or(0)}, {"delta", delta}, {"dtype", std::string(name_of(type))}};
  HONE_TRY(ValueId range, node.emit(OpKind::Range, {}, map, {type, {length}}));
  if (start.constant()) return Values{range};
  return Node::single(node.emit(OpKind::Add, {range, node.input(0)}));
}

}  // namespace

Result<Values> map_range(Node& node) {
  ir::DType type = node.type(0).dtype;
  for (size_t k = 0; k < 3; ++k) {
    auto count = ir::product(node.type(k).shape).constant();
    if (count && *count != 1) return error("its input number {} has {} elements instead of one", k, *count);
  }
  if (node.known(0) && node.known(1) && node.known(2)) {
    Index start = node.known(0)->elements[0], limit = node.known(1)->elements[0];
    auto delta = node.known(2)->elements[0].constant();
    if (!delta || *delta == 0) return error("its delta must be a number other than 0");
    if (!is_reasonable(start) || !is_reasonable(limit) || !is_reasonable(*delta))
      return error("its start, limit or delta is out of bounds");
    return integer_range(node, start, limit, *delta);
  }
  auto start = node.numbers(0), limit = node.numbers(1), delta = node.numbers(2);
  if (!start || !limit || !delta)
    return error("its length depends on data; constants and sizes of the inputs would work");
  if ((*delta)[0] == 0) return error("its delta is 0");
  double length = std::ceil(((*limit)[0] - (*start)[0]) / (*delta)[0]);
  if (!(length < static_cast<double>(kLargeNumber))) return error("its length of {} is out of bounds", length);
  length = std::max(0.0, length);
  AttributeMap map{{"start", (*start)[0]}, {"delta", (*delta)[0]}, {"dtype", std::string(name_of(type))}};
  return Node::single(node.emit(OpKind::Range, {}, map, {type, {static_cast<int64_t>(length)}}));
}

Result<Values> map_constant_of_shape(Node& node) {
  HONE_TRY(std::vector<Index> shape, node.sizes(0, "sizes"));
  for (const Index& size : shape)
    if (size.constant().value_or(0) < 0) return error("it has the negative size {}", size.text());
  ir::DType type = ir::DType::F32;
  ir::Attribute value = 0.0;
  if (const onnx::TensorProto* proto = node.attributes().tensor("value")) {
    auto tensor = node.importer().read(*proto);
    if (!tensor) return error("its value {}", tensor.problem().message);
    type = tensor->type.dtype;
    if (is_storage(type)) return error("its value is {}; a Cast of another type would work", name_of(type));
    auto numbers = numbers_of(tensor->type, tensor->data, 1);
    if (!numbers || numbers->size() != 1) return error("its value must have one element");
    value = (*numbers)[0];
    if (auto integers = integers_of(tensor->type, tensor->data, 1); integers && is_integer(type))
      value = (*integers)[0];
  }
  AttributeMap map{{"value", value}, {"dtype", std::string(name_of(type))}};
  return Node::single(node.emit(OpKind::Fill, {}, map, {type, shape}));
}

}  // namespace hone::import
