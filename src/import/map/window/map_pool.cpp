// What is left of pooling: taking maxima back to where they came from, and adding windows up to images.
#include "import/map/calculator_internal.h"
#include "import/map/window/window_internal.h"

namespace hone::import {

namespace {

// What the image of a pooling with these attributes was, if no pixel was left over.
Result<ir::Shape> unpooled_shape(Node& node) {
  size_t spatial = node.rank(0) - 2;
  std::vector<int64_t> kernel = node.attributes().integers("kernel_shape");
  std::vector<int64_t> strides = node.attributes().integers("strides", std::vector<int64_t>(spatial, 1));
  std::vector<int64_t> pads = node.attributes().integers("pads", std::vector<int64_t>(2 * spatial, 0));
  if (kernel.size() != spatial || strides.size() != spatial || pads.size() != 2 * spatial)
    return error("kernel_shape, strides and pads do not fit {} spatial dimensions", spatial);
  ir::Shape shape = {node.shape(0)[0], node.shape(0)[1]};
  for (size_t i = 0; i < spatial; ++i) {
    shape.push_back((node.shape(0)[i + 2] - 1) * strides[i] + kernel[i] - pads[i] - pads[i + spatial]);
    if (shape.back().constant().value_or(0) < 0) return error("its pads leave nothing of dimension {}", i + 2);
  }
  return shape;
}

}  // namespace

// The indices count in the image that the attributes give; output_shape may then add rows and columns at its end.
Result<Values> map_max_unpool(Node& node) {
  if (node.rank(0) < 3 || node.rank(1) != node.rank(0))
    return error("its operands have ranks {} and {}; equal ones of at least 3 are needed", node.rank(0), node.rank(1));
  ValueId indices = node.input(1);
  for (size_t d = 0; d < node.rank(0); ++d) HONE_PASS(node.match(node.input(0), d, indices, d));
  HONE_TRY(ir::Shape shape, unpooled_shape(node));
  DType type = node.type(0).dtype;
  Calculator calculate(node, type);
  Index count = product(node.shape(0));
  ValueId zeros =
      calculate.op(OpKind::Fill, {}, {{"value", 0.0}, {"dtype", std::string(name_of(type))}}, {type, {product(shape)}});
  Values operands = {zeros, calculate.reshape(indices, {count}), calculate.reshape(node.input(0), {count})};
  ValueId y = calculate.reshape(calculate.op(OpKind::ScatterElements, operands, {{"axis", int64_t{0}}}), shape);
  if (!node.has(2)) return Node::single(calculate.result(y));
  HONE_TRY(std::vector<Index> wanted, node.sizes(2, "output_shape"));
  if (wanted.size() != shape.size())
    return error("its output_shape has {} sizes for rank {}", wanted.size(), shape.size());
  std::vector<int64_t> pads(2 * shape.size(), 0);
  for (size_t d = 0; d < shape.size(); ++d) {
    auto more = (wanted[d] - shape[d]).constant();
    if (!more || *more < 0)
      return error("its output_shape {} is not {} or larger by a number", wanted[d].text(), shape[d].text());
    pads[d + shape.size()] = *more;
  }
  return Node::single(calculate.result(calculate.op(OpKind::Pad, {y}, {{"pads", pads}, {"value", 0.0}})));
}

namespace {

// Windows that are added up to images.
struct Columns {
  std::vector<Index> image, block, positions;
  std::vector<int64_t> strides, dilations, pads;
};

Result<Columns> columns_of(Node& node) {
  Columns c;
  HONE_TRY(c.image, node.sizes(1, "image_shape"));
  HONE_TRY(c.block, node.sizes(2, "block_shape"));
  size_t spatial = c.block.size();
  if (node.rank(0) != 3 || spatial == 0 || c.image.size() != spatial)
    return error("its input of rank {}, image_shape of {} and block_shape of {} sizes do not fit", node.rank(0),
                 c.image.size(), spatial);
  std::vector<int64_t> ones(spatial, 1);
  c.strides = node.attributes().integers("strides", ones);
  c.dilations = node.attributes().integers("dilations", ones);
  c.pads = node.attributes().integers("pads", std::vector<int64_t>(2 * spatial, 0));
  if (c.strides.size() != spatial || c.dilations.size() != spatial || c.pads.size() != 2 * spatial)
    return error("strides, dilations and pads do not fit {} spatial dimensions", spatial);
  for (size_t i = 0; i < spatial; ++i) {
    if (c.block[i].constant().value_or(1) < 1 || c.strides[i] < 1 || c.dilations[i] < 1)
      return error("block_shape, strides and dilations must be positive");
    Index reach = (c.block[i] - 1) * c.dilations[i] + 1;
    c.positions.push_back(floor_div(c.image[i] + c.pads[i] + c.pads[i + spatial] - reach, c.strides[i]) + 1);
  }
  return c;
}

}  // namespace

Result<Values> map_col2im(Node& node) {
  HONE_TRY(Columns c, columns_of(node));
  HONE_PASS(node.require(0, 2, product(c.positions)));
  HONE_TRY(c, columns_of(node));  // symbols may have been replaced
  HONE_TRY(Index taps, element_count(c.block));
  const ir::Shape shape = node.shape(0);
  auto channels = exact_quotient(shape[1], taps);
  if (!channels && taps.constant() && shape[1].constant())
    return error("its {} rows do not divide into blocks of {}", shape[1].text(), taps.text());
  if (!channels) channels = floor_div(shape[1], taps);  // the Reshape below finds out whether that is all
  ir::Shape columns = {shape[0], *channels}, result = columns;
  columns.insert(columns.end(), c.block.begin(), c.block.end());
  columns.insert(columns.end(), c.positions.begin(), c.positions.end());
  result.insert(result.end(), c.image.begin(), c.image.end());
  HONE_TRY(ValueId x, node.reshape(node.input(0), columns));
  AttributeMap map{{"strides", c.strides}, {"dilations", c.dilations}, {"pads", c.pads}};
  return Node::single(node.emit(OpKind::Col2Im, {x}, map, {node.type(0).dtype, result}));
}

}  // namespace hone::import
