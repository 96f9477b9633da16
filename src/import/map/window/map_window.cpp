#include <algorithm>

#include "import/map/window/window_internal.h"
#include "import/node_internal.h"

namespace hone::import {

using ir::Index;
using ir::OpKind;
using ir::ValueId;

namespace {

// SAME: as many results as the stride leaves room for, the pads shared evenly between both ends.
Result<std::vector<int64_t>> same_pads(Node& node, const std::vector<int64_t>& kernel,
                                       const std::vector<int64_t>& strides, const std::vector<int64_t>& dilations,
                                       bool more_at_end) {
  size_t spatial = kernel.size();
  std::vector<int64_t> pads(2 * spatial);
  for (size_t i = 0; i < spatial; ++i) {
    int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
    auto size = node.shape(0)[i + 2].constant();
    if (!size && strides[i] != 1)
      return error("auto_pad with stride {} on the run-time size {}; explicit pads would work", strides[i],
                   node.shape(0)[i + 2].text());
    int64_t total =
        strides[i] == 1 ? reach - 1 : ((*size + strides[i] - 1) / strides[i] - 1) * strides[i] + reach - *size;
    total = std::max<int64_t>(total, 0);
    pads[i] = more_at_end ? total / 2 : total - total / 2;
    pads[i + spatial] = total - pads[i];
  }
  return pads;
}

}  // namespace

Result<AttributeMap> window_attributes(Node& node, const std::vector<int64_t>& kernel) {
  Attributes& attributes = node.attributes();
  size_t spatial = node.rank(0) - 2;
  std::vector<int64_t> ones(spatial, 1);
  auto strides = attributes.integers("strides", ones), dilations = attributes.integers("dilations", ones);
  auto pads = attributes.integers("pads", std::vector<int64_t>(2 * spatial, 0));
  if (kernel.size() != spatial || strides.size() != spatial || dilations.size() != spatial ||
      pads.size() != 2 * spatial)
    return error("kernel_shape, strides, dilations and pads do not fit {} spatial dimensions", spatial);
  auto sound = [](const std::vector<int64_t>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](int64_t n) { return n > 0 && n < kLargeNumber; });
  };
  if (!sound(kernel) || !sound(strides) || !sound(dilations))
    return error("kernel_shape, strides and dilations must be positive");
  std::string auto_pad = attributes.text("auto_pad", "NOTSET");
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
    HONE_TRY(pads, same_pads(node, kernel, strides, dilations, auto_pad == "SAME_UPPER"));
  } else if (auto_pad != "NOTSET" && auto_pad != "VALID") {
    return error("auto_pad '{}' is unknown", auto_pad);
  }
  return AttributeMap{{"strides", strides}, {"dilations", dilations}, {"pads", pads}};
}

Result<Values> map_pool(Node& node) {
  if (node.rank(0) < 3) return error("its input has rank {}; at least 3 is needed", node.rank(0));
  std::vector<int64_t> kernel = node.attributes().integers("kernel_shape");
  HONE_TRY(AttributeMap map, window_attributes(node, kernel));
  map["kernel_shape"] = kernel;
  if (node.attributes().integer("ceil_mode", 0) != 0) map["ceil_mode"] = int64_t{1};
  if (node.kind() == OpKind::AveragePool) map["count_include_pad"] = node.attributes().integer("count_include_pad", 0);
  if (node.kind() == OpKind::LpPool) map["p"] = node.attributes().integer("p", 2);
  HONE_TRY(ValueId pooled, node.emit(node.kind(), {node.input(0)}, map));
  if (node.kind() != OpKind::MaxPool || !node.wants(1)) return Values{pooled};
  map["storage_order"] = node.attributes().integer("storage_order", 0);
  HONE_TRY(ValueId indices, node.emit(OpKind::MaxPoolIndices, {node.input(0), pooled}, map));
  return Values{pooled, indices};
}

}  // namespace hone::import
