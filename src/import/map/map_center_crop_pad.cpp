#include <numeric>

#include "import/map/steps_internal.h"

namespace hone::import {

using ir::Index;
using ir::OpKind;
using ir::ValueId;

namespace {

// Whether it crops or pads is known at run time only: every element is read, and those outside become zeros.
ValueId centre(Steps& steps, ValueId value, size_t axis, const ir::Shape& shape, const Index& wanted) {
  const Index& dim = shape[axis];
  Index shift = floor_div(max(dim - wanted, 0), 2) - floor_div(max(wanted - dim, 0), 2);
  size_t after = shape.size() - axis - 1;
  ValueId places = steps.add(steps.positions(wanted, after), steps.size(shift));
  ValueId inside = steps.op(OpKind::And, {steps.op(OpKind::GreaterOrEqual, {places, steps.size(0)}),
                                          steps.op(OpKind::Less, {places, steps.size(dim)})});
  ValueId read =
      steps.op(OpKind::Gather, {value, steps.reshape(places, {wanted})}, {{"axis", static_cast<int64_t>(axis)}});
  return steps.where(inside, read, steps.number(steps.dtype(value), 0));
}

}  // namespace

// What is too long loses elements at both ends, what is too short gains zeros there; an odd one more at the end.
Result<Values> map_center_crop_pad(Node& node) {
  size_t rank = node.rank(0);
  HONE_TRY(std::vector<Index> wanted, node.sizes(1, "target sizes"));
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  axes = node.attributes().integers("axes", axes);
  if (axes.size() != wanted.size()) return error("it has {} target sizes for {} axes", wanted.size(), axes.size());
  std::vector<int64_t> pads(2 * rank, 0);
  Steps steps(node);
  ValueId value = node.input(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    HONE_TRY(int axis, normal_axis(axes[i], rank));
    size_t d = static_cast<size_t>(axis);
    if (!is_reasonable(wanted[i]) || wanted[i].constant().value_or(0) < 0)
      return error("it has the target size {}", wanted[i].text());
    auto growth = (wanted[i] - node.shape(0)[d]).constant();
    if (!growth) {
      value = centre(steps, value, d, node.shape(0), wanted[i]);
      continue;
    }
    if (*growth < 0) value = steps.slice(value, d, -*growth / 2, wanted[i]);
    pads[d] = std::max<int64_t>(*growth, 0) / 2;
    pads[d + rank] = std::max<int64_t>(*growth, 0) - pads[d];
  }
  return steps.done(
      {steps.op(OpKind::Pad, {value}, {{"pads", pads}, {"mode", std::string("constant")}, {"value", 0.0}})});
}

}  // namespace hone::import
