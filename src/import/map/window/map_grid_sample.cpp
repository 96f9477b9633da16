// GridSample: the grid's coordinates become indices and weights by arithmetic, then every corner is gathered.
#include "import/map/calculator_internal.h"
#include "import/map/window/sample_internal.h"

namespace hone::import {

namespace {

struct Setting {
  bool align_corners;
  std::string padding;  // zeros, border, reflection
  Interpolation interpolation;
};

Result<Setting> setting_of(Node& node) {
  Setting setting{node.attributes().integer("align_corners", 0) != 0, node.attributes().text("padding_mode", "zeros"),
                  Interpolation::Linear};
  std::string mode = node.attributes().text("mode", "linear");
  if (mode == "nearest")
    setting.interpolation = Interpolation::Nearest;
  else if (mode == "cubic" || mode == "bicubic")
    setting.interpolation = Interpolation::Cubic;
  else if (mode != "linear" && mode != "bilinear")
    return error("mode '{}' is unknown", mode);
  if (setting.padding != "zeros" && setting.padding != "border" && setting.padding != "reflection")
    return error("padding_mode '{}' is unknown", setting.padding);
  if (setting.interpolation != Interpolation::Nearest && !is_float(node.type(0).dtype))
    return error("mode '{}' on {}; floating-point tensors and mode nearest would work", mode,
                 name_of(node.type(0).dtype));
  return setting;
}

// From [-1, 1] to pixels.
ValueId denormalised(Calculator& c, ValueId at, ValueId size, bool align_corners) {
  ValueId from_zero = c.add(at, 1.0);
  if (align_corners) return c.mul(c.mul(from_zero, 0.5), c.sub(size, 1.0));
  return c.mul(c.sub(c.mul(from_zero, size), 1.0), 0.5);
}

// A coordinate outside of the pixels and half of one around them (none if corners are aligned) is clamped.
ValueId clamped(Calculator& c, ValueId at, ValueId size, bool align_corners) {
  ValueId margin = c.number(align_corners ? 0 : 0.5), last = c.sub(size, 1.0);
  ValueId inside = c.min(c.max(at, c.number(0)), last);
  ValueId outside = c.op(OpKind::Or, {c.less(c.add(at, margin), c.number(0)), c.less(c.add(last, margin), at)});
  return c.where(outside, inside, at);
}

ValueId coordinate(Calculator& c, ValueId at, const Index& pixels, const Setting& setting) {
  ValueId size = c.size(pixels);
  at = denormalised(c, at, size, setting.align_corners);
  if (setting.interpolation == Interpolation::Nearest) at = c.op(OpKind::Round, {at});
  if (setting.padding == "border") return clamped(c, at, size, setting.align_corners);
  if (setting.padding == "reflection") return reflected(c, at, size, setting.align_corners);
  return at;
}

}  // namespace

Result<Values> map_grid_sample(Node& node) {
  size_t rank = node.rank(0), spatial = rank - 2;
  if (rank < 3 || node.rank(1) != rank)
    return error("its operands have ranks {} and {}; equal ones of at least 3 are needed", rank, node.rank(1));
  HONE_PASS(node.require(1, rank - 1, static_cast<int64_t>(spatial)));
  HONE_TRY(Setting setting, setting_of(node));
  ValueId grid = node.input(1);
  HONE_PASS(node.match(node.input(0), 0, grid, 0));
  DType real = node.type(1).dtype == DType::F64 ? DType::F64 : DType::F32;
  Calculator calculate(node, real);
  grid = calculate.cast(grid, real);
  Sampled sampled;
  for (size_t d = 0; d < spatial; ++d) {
    // The last coordinate of the grid is that of the first dimension.
    ValueId at = calculate.pick(grid, rank - 1, static_cast<int64_t>(spatial - 1 - d));
    sampled.coordinates.push_back(coordinate(calculate, at, node.shape(0)[d + 2], setting));
  }
  sampled.interpolation = setting.interpolation;
  sampled.outside = setting.padding == "zeros"    ? Outside::Zero
                    : setting.padding == "border" ? Outside::Clamp
                                                  : Outside::Reflect;
  sampled.align_corners = setting.align_corners;
  return Node::single(calculate.result(sample(calculate, node.input(0), sampled)));
}

}  // namespace hone::import
