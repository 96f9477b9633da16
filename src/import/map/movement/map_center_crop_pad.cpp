#include <numeric>

#include "import/map/steps_internal.h"

namespace hone::import {

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
    const Index dim = node.shape(0)[d];
    auto growth = (wanted[i] - dim).constant();
    if (!growth) {  // which of the two it is, only the sizes tell
      Index first = floor_div(max(dim - wanted[i], 0), 2) - floor_div(max(wanted[i] - dim, 0), 2);
      value = steps.take_or_fill(value, d, first, wanted[i], 0);
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
