// TopK and the scatters: operators that library functions compute.
#include "import/node_internal.h"

namespace hone::import {

// k was an attribute until opset 9.
Result<Values> map_top_k(Node& node) {
  size_t rank = node.rank(0);
  if (rank == 0) return error("it takes no scalars");
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -1), rank));
  Index k;
  if (node.has(1)) {
    HONE_TRY(std::vector<Index> given, node.sizes(1, "k"));
    if (given.size() != 1) return error("its k must be one number");
    k = given[0];
  } else {
    if (!node.attributes().has("k")) return error("its k is missing");
    k = node.attributes().integer("k", 0);
  }
  ir::TensorType values = node.type(0), indices{ir::DType::I64, {}};
  if (k.constant().value_or(0) < 0) return error("its k is {}", k.text());
  values.shape[static_cast<size_t>(axis)] = k;
  indices.shape = values.shape;
  AttributeMap map{{"axis", int64_t{axis}}, {"largest", node.attributes().integer("largest", 1)}};
  return node.emit_many(OpKind::TopK, {node.input(0)}, map, {}, {values, indices});
}

Result<Values> map_scatter_elements(Node& node) {
  size_t rank = node.rank(0);
  if (rank == 0) return error("it takes no scalars");
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), rank));
  if (node.rank(1) != rank || node.rank(2) != rank)
    return error("its operands have ranks {}, {} and {}; equal ones are needed", rank, node.rank(1), node.rank(2));
  Values values = node.inputs();
  for (size_t d = 0; d < rank; ++d) HONE_PASS(node.match(values[1], d, values[2], d));
  AttributeMap map{{"axis", int64_t{axis}}, {"reduction", node.attributes().text("reduction", "none")}};
  return Node::single(node.emit(OpKind::ScatterElements, values, map));
}

Result<Values> map_scatter_nd(Node& node) {
  Values values = node.inputs();
  auto depth = node.rank(1) == 0 ? std::nullopt : node.shape(1).back().constant();
  if (!depth) return error("its indices need a last dimension of fixed size");
  size_t tuple_rank = node.rank(1) - 1, blocks_from = static_cast<size_t>(*depth);
  if (blocks_from > node.rank(0) || node.rank(2) != tuple_rank + node.rank(0) - blocks_from)
    return error("its operands have ranks {}, {} and {} with tuples of {}", node.rank(0), node.rank(1), node.rank(2),
                 *depth);
  for (size_t d = 0; d < tuple_rank; ++d) HONE_PASS(node.match(values[1], d, values[2], d));
  for (size_t d = blocks_from; d < node.rank(0); ++d)
    HONE_PASS(node.match(values[0], d, values[2], tuple_rank + d - blocks_from));
  return Node::single(
      node.emit(OpKind::ScatterND, values, {{"reduction", node.attributes().text("reduction", "none")}}));
}

Result<Values> map_det(Node& node) {
  size_t rank = node.rank(0);
  if (rank < 2) return error("its input has rank {}; at least 2 is needed", rank);
  ValueId x = node.input(0);
  if (!(node.shape(0)[rank - 2] == node.shape(0)[rank - 1])) {
    // Two sizes of one value: one of them is declared to be the other.
    ir::Shape square = node.shape(0);
    if (provably_different(square[rank - 2], square[rank - 1]))
      return error("its matrices of {} by {} are not square", square[rank - 2].text(), square[rank - 1].text());
    if (node.importer().equate(square[rank - 2], square[rank - 1])) return Node::single(node.emit(OpKind::Det, {x}));
    if (!square[rank - 2].constant()) std::swap(square[rank - 2], square[rank - 1]);
    square[rank - 1] = square[rank - 2];
    HONE_TRY(x, node.reshape(x, square));
  }
  return Node::single(node.emit(OpKind::Det, {x}));
}

}  // namespace hone::import
