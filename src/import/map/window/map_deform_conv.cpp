// Convolutions whose taps are moved by data, and pooling of boxes.
#include "import/map/calculator_internal.h"
#include "import/map/window/sample_internal.h"
#include "import/map/window/window_internal.h"

namespace hone::import {

namespace {

// A deformable convolution: what its taps see is sampled into columns, which a convolution of window 1 then weighs.
struct Deformed {
  Index batch, channels;
  int64_t offset_groups;
  std::vector<int64_t> kernel, strides, dilations, pads;
  ir::Shape out;  // spatial
};

Result<Deformed> deformed_of(Node& node) {
  size_t rank = node.rank(0);
  if (rank != 4 || node.rank(1) != 4 || node.rank(2) != 4)
    return error("its operands have ranks {}, {} and {}; images of rank 4 would work", rank, node.rank(1),
                 node.rank(2));
  Deformed d{node.shape(0)[0], node.shape(0)[1], node.attributes().integer("offset_group", 1), {}, {}, {}, {}, {}};
  for (size_t i = 2; i < rank; ++i) {
    if (!node.shape(1)[i].constant()) return error("the size of its window is known only at run time");
    d.kernel.push_back(*node.shape(1)[i].constant());
  }
  if (node.attributes().integers("kernel_shape", d.kernel) != d.kernel)
    return error("kernel_shape differs from the weight's shape");
  HONE_TRY(AttributeMap map, window_attributes(node, d.kernel));
  d.strides = std::get<std::vector<int64_t>>(map["strides"]);
  d.dilations = std::get<std::vector<int64_t>>(map["dilations"]);
  d.pads = std::get<std::vector<int64_t>>(map["pads"]);
  if (d.offset_groups < 1 || !exact_quotient(d.channels, d.offset_groups))
    return error("its {} channels do not divide into {} offset groups", d.channels.text(), d.offset_groups);
  for (size_t i = 0; i < 2; ++i) {
    Index reach = (d.kernel[i] - 1) * d.dilations[i] + 1;
    d.out.push_back(floor_div(node.shape(0)[i + 2] + d.pads[i] + d.pads[i + 2] - reach, d.strides[i]) + 1);
  }
  return d;
}

// Sees to it that the sizes of an offset or mask are those that the images ask for. Symbols may be replaced by this.
Status fit(Node& node, size_t input, int64_t parts) {
  if (node.rank(input) != 4) return error("input number {} has rank {}; 4 is needed", input, node.rank(input));
  for (size_t i = 0; i < 4; ++i) {
    HONE_TRY(Deformed d, deformed_of(node));
    ir::Shape wanted = {d.batch, d.offset_groups * d.kernel[0] * d.kernel[1] * parts, d.out[0], d.out[1]};
    HONE_PASS(node.require(input, i, wanted[i]));
  }
  return Done{};
}

// An offset or mask as [batch * offset group, taps…, parts, out…].
Result<ValueId> per_tap(Node& node, size_t input, const Deformed& d, int64_t parts) {
  return node.reshape(node.input(input),
                      {d.batch * d.offset_groups, d.kernel[0], d.kernel[1], parts, d.out[0], d.out[1]});
}

// Where the taps would be without offsets: o * stride - pad + k * dilation, shaped to broadcast over [·, taps…, out…].
ValueId resting_place(Calculator& c, const Deformed& d, size_t dimension) {
  ir::Shape taps(5, 1), outs(5, 1);
  taps[1 + dimension] = d.kernel[dimension];
  outs[3 + dimension] = d.out[dimension];
  ValueId tap = c.mul(c.range(d.kernel[dimension]), static_cast<double>(d.dilations[dimension]));
  ValueId out = c.mul(c.range(d.out[dimension]), static_cast<double>(d.strides[dimension]));
  return c.sub(c.add(c.reshape(tap, taps), c.reshape(out, outs)), static_cast<double>(d.pads[dimension]));
}

}  // namespace

Result<Values> map_deform_conv(Node& node) {
  HONE_PASS(fit(node, 2, 2));
  if (node.has(4)) HONE_PASS(fit(node, 4, 1));
  HONE_TRY(Deformed d, deformed_of(node));
  DType type = node.type(0).dtype;
  if (!is_float(type)) return error("it is not defined on {} tensors", name_of(type));
  HONE_TRY(ValueId offset, per_tap(node, 2, d, 2));
  Index groups = d.batch * d.offset_groups, depth = *exact_quotient(d.channels, d.offset_groups);
  Calculator calculate(node, type == DType::F64 ? DType::F64 : DType::F32);
  Sampled sampled;
  for (size_t i = 0; i < 2; ++i) {
    ValueId moved = calculate.cast(calculate.pick(offset, 3, static_cast<int64_t>(i)),
                                   type == DType::F64 ? DType::F64 : DType::F32);
    sampled.coordinates.push_back(calculate.add(moved, resting_place(calculate, d, i)));
  }
  ValueId images = calculate.reshape(node.input(0), {groups, depth, node.shape(0)[2], node.shape(0)[3]});
  ValueId columns = sample(calculate, images, sampled);
  if (node.has(4)) {
    HONE_TRY(ValueId mask, per_tap(node, 4, d, 1));
    columns =
        calculate.mul(columns, calculate.reshape(mask, {groups, 1, d.kernel[0], d.kernel[1], d.out[0], d.out[1]}));
  }
  int64_t taps = d.kernel[0] * d.kernel[1];
  columns = calculate.reshape(columns, {d.batch, d.channels * taps, d.out[0], d.out[1]});
  const ir::Shape weight = node.shape(1);
  Values operands = {columns, calculate.reshape(node.input(1), {weight[0], weight[1] * taps, 1, 1})};
  if (node.has(3)) operands.push_back(node.input(3));
  return Node::single(
      calculate.result(calculate.op(OpKind::Conv, operands, {{"group", node.attributes().integer("group", 1)}})));
}

// half_pixel became the default with opset 16, which brought the attribute.
Result<Values> map_roi_align(Node& node) {
  Attributes& attributes = node.attributes();
  std::string coordinates =
      attributes.text("coordinate_transformation_mode", node.opset() >= 16 ? "half_pixel" : "output_half_pixel");
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
    return error("coordinate_transformation_mode '{}' is unknown", coordinates);
  if (node.rank(0) != 4 || node.rank(1) != 2 || node.rank(2) != 1)
    return error("its operands have ranks {}, {} and {}; 4, 2 and 1 are needed", node.rank(0), node.rank(1),
                 node.rank(2));
  HONE_PASS(node.require(1, 1, 4));
  Values values = node.inputs();
  HONE_PASS(node.match(values[1], 0, values[2], 0));
  AttributeMap map{{"mode", attributes.text("mode", "avg")},
                   {"output_height", attributes.integer("output_height", 1)},
                   {"output_width", attributes.integer("output_width", 1)},
                   {"sampling_ratio", attributes.integer("sampling_ratio", 0)},
                   {"spatial_scale", attributes.number("spatial_scale", 1)},
                   {"half_pixel", int64_t{coordinates == "half_pixel"}}};
  return Node::single(node.emit(OpKind::RoiAlign, values, map));
}

}  // namespace hone::import
