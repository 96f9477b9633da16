#include "import/map/attention/attention_internal.h"

namespace hone::import {

namespace {

// Where the dimensions of a rotary embedding stand: [batch, heads, length, width], or [batch, length, heads, width] of an
// input whose heads are packed.
struct Layout {
  ir::Shape shape;  // with heads apart
  size_t length;    // number of that dimension
  int64_t rotated;  // how much of the width turns
};

Result<Layout> layout_of(Node& node) {
  ir::Shape shape = node.shape(0);
  size_t length = 2;
  if (shape.size() == 3) {
    int64_t heads = node.attributes().integer("num_heads", 0);
    HONE_TRY(Index width, head_width(shape[2], heads));
    shape = {shape[0], shape[1], heads, width};
    length = 1;
  }
  int64_t rotated = node.attributes().integer("rotary_embedding_dim", 0);
  auto width = shape[3].constant();
  if (!width) return error("the width {} of a head is known only at run time", shape[3].text());
  if (rotated == 0) rotated = *width;
  if (rotated < 0 || rotated > *width || rotated % 2 != 0)
    return error("{} of {} elements of a head cannot turn in pairs", rotated, *width);
  return Layout{shape, length, rotated};
}

// Positions and caches whose batch and length are those of the input; caches are per position or per element.
Result<Values> matched_operands(Node& node) {
  Values values = node.inputs();
  size_t length = node.rank(0) == 3 ? 1 : 2;
  if (node.has(3) && node.rank(3) != 2) return error("its position_ids have rank {}, not 2", node.rank(3));
  for (size_t k : {1, 2}) {
    if (node.rank(k) != (node.has(3) ? 2 : 3)) return error("input number {} has rank {}", k, node.rank(k));
    if (node.type(k).dtype != node.type(0).dtype)
      return error("input number {} is {}, the input {}", k, name_of(node.type(k).dtype), name_of(node.type(0).dtype));
  }
  for (size_t k = node.has(3) ? 3 : 1; k < values.size(); ++k) {
    HONE_PASS(node.match(values[0], 0, values[k], 0));
    HONE_PASS(node.match(values[0], length, values[k], 1));
  }
  return values;
}

// Cosines or sines for all positions, broadcast over the heads.
Result<ValueId> turns(Node& node, Steps& steps, const Values& operands, size_t k, const Layout& layout) {
  Index half = layout.rotated / 2, columns = node.shape(k).back();
  if (provably_different(columns, half))
    return error("input number {} has {} columns; {} are needed", k, columns.text(), half.text());
  ValueId cache = operands[k];
  if (node.has(3)) cache = steps.op(OpKind::Gather, {cache, operands[3]}, {{"axis", int64_t{0}}});
  ir::Shape shape{layout.shape[0], 1, 1, half};
  shape[layout.length] = layout.shape[layout.length];
  return steps.reshape(cache, shape);
}

}  // namespace

Result<Values> map_rotary_embedding(Node& node) {
  if (node.rank(0) != 3 && node.rank(0) != 4) return error("its input has rank {}; 3 and 4 are possible", node.rank(0));
  HONE_TRY(Values operands, matched_operands(node));
  HONE_TRY(Layout layout, layout_of(node));
  Steps steps(node);
  HONE_TRY(ValueId cosine, turns(node, steps, operands, 1, layout));
  HONE_TRY(ValueId sine, turns(node, steps, operands, 2, layout));
  bool interleaved = node.attributes().integer("interleaved", 0) != 0;
  int64_t half = layout.rotated / 2, width = *layout.shape[3].constant();
  ValueId x = steps.reshape(node.input(0), layout.shape);
  ValueId first = steps.slice(x, 3, 0, half, interleaved ? 2 : 1);
  ValueId second = steps.slice(x, 3, interleaved ? 1 : half, half, interleaved ? 2 : 1);
  ValueId real = steps.sub(steps.mul(cosine, first), steps.mul(sine, second));
  ValueId imaginary = steps.add(steps.mul(sine, first), steps.mul(cosine, second));
  ir::Shape apart = layout.shape, turned_shape = layout.shape;
  apart[3] = half;
  turned_shape[3] = layout.rotated;
  if (interleaved) {
    apart.push_back(1);
    real = steps.reshape(real, apart);
    imaginary = steps.reshape(imaginary, apart);
  }
  ValueId turned = steps.reshape(steps.concat({real, imaginary}, interleaved ? 4 : 3), turned_shape);
  if (layout.rotated < width)
    turned = steps.concat({turned, steps.slice(x, 3, layout.rotated, width - layout.rotated)}, 3);
  return steps.done({steps.reshape(turned, node.shape(0))});
}

}  // namespace hone::import
