#include "import/map/calculator_internal.h"

namespace hone::import {

// The points of a grid between -1 and 1, moved by the matrix of each image.
Result<Values> map_affine_grid(Node& node) {
  HONE_TRY(std::vector<Index> size, node.sizes(1, "size"));
  if (size.size() < 3 || node.rank(0) != 3)
    return error("its size has {} numbers, its theta rank {}", size.size(), node.rank(0));
  size_t spatial = size.size() - 2;
  int64_t rows = static_cast<int64_t>(spatial);
  HONE_PASS(node.require(0, 1, rows));
  HONE_PASS(node.require(0, 2, rows + 1));
  HONE_TRY(size, node.sizes(1, "size"));  // symbols may have been replaced
  DType type = node.type(0).dtype, real = type == DType::F64 ? DType::F64 : DType::F32;
  bool align = node.attributes().integer("align_corners", 0) != 0;
  Calculator c(node, real);
  ir::Shape plane(size.begin() + 2, size.end()), column = plane;
  column.push_back(1);
  Values columns;
  for (size_t d = spatial; d-- > 0;) {  // x first
    ValueId extent = c.size(plane[d]), place = c.mul(c.range(plane[d]), 2.0);
    ValueId at = align ? c.div(place, c.max(c.sub(extent, 1.0), c.number(1))) : c.div(c.add(place, 1.0), extent);
    ir::Shape along(spatial + 1, 1);
    along[d] = plane[d];
    columns.push_back(c.op(OpKind::Expand, {c.reshape(c.sub(at, 1.0), along)}, {}, {real, column}));
  }
  columns.push_back(c.op(OpKind::Fill, {}, {{"value", 1.0}, {"dtype", std::string(name_of(real))}}, {real, column}));
  ValueId points = c.op(OpKind::Concat, columns, {{"axis", rows}});
  points = c.reshape(c.cast(points, type), {product(plane), rows + 1});
  ValueId y = c.op(OpKind::MatMul, {points, c.transpose(node.input(0), {0, 2, 1})});
  ir::Shape shape = plane;
  shape.insert(shape.begin(), node.shape(0)[0]);
  shape.push_back(rows);
  return Node::single(c.result(c.reshape(y, shape)));
}

}  // namespace hone::import
