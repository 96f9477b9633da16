#include <algorithm>
#include <limits>

#include "import/map/steps_internal.h"
#include "import/map/window/window_internal.h"

namespace hone::import {

namespace {

// SAME: as many results as the stride leaves room for, the pads shared evenly between both ends.
std::vector<int64_t> same_pads(Node& node, const std::vector<int64_t>& kernel, const std::vector<int64_t>& strides,
                               const std::vector<int64_t>& dilations, bool more_at_end) {
  size_t spatial = kernel.size();
  std::vector<int64_t> pads(2 * spatial);
  for (size_t i = 0; i < spatial; ++i) {
    if (has_open_pads(node, i)) continue;
    int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
    auto size = node.shape(0)[i + 2].constant();
    int64_t total =
        strides[i] == 1 ? reach - 1 : ((*size + strides[i] - 1) / strides[i] - 1) * strides[i] + reach - *size;
    total = std::max<int64_t>(total, 0);
    pads[i] = more_at_end ? total / 2 : total - total / 2;
    pads[i + spatial] = total - pads[i];
  }
  return pads;
}

}  // namespace

bool has_open_pads(Node& node, size_t dimension) {
  std::vector<int64_t> strides = node.attributes().integers("strides");
  return node.attributes().text("auto_pad", "NOTSET").starts_with("SAME") && dimension < strides.size() &&
         strides[dimension] != 1 && !node.shape(0)[dimension + 2].constant();
}

bool has_open_pads(Node& node) {
  for (size_t i = 0; i + 2 < node.rank(0); ++i)
    if (has_open_pads(node, i)) return true;
  return false;
}

Result<ValueId> with_open_pads(Node& node, ValueId value, const std::vector<int64_t>& kernel, double fill) {
  bool more_at_end = node.attributes().text("auto_pad", "NOTSET") == "SAME_UPPER";
  auto strides = node.attributes().integers("strides", std::vector<int64_t>(kernel.size(), 1)),
       dilations = node.attributes().integers("dilations", std::vector<int64_t>(kernel.size(), 1));
  Steps steps(node);
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (!has_open_pads(node, i)) continue;
    const Index size = node.shape(0)[i + 2];
    Index needed = (ceil_div(size, strides[i]) - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1;
    Index pads = max(needed - size, 0), half = floor_div(pads, 2);
    value = steps.take_or_fill(value, i + 2, more_at_end ? -half : half - pads, needed, fill);
  }
  HONE_TRY(Values padded, steps.done({value}));
  return padded[0];
}

namespace {

// A number that never is the largest.
double least_of(ir::DType type) {
  if (is_float(type)) return -std::numeric_limits<double>::infinity();
  return type == ir::DType::U8 ? 0 : std::numeric_limits<int8_t>::min();
}

// The mean of what is not padded: pads are zeros among the elements, and among as many ones.
Result<Values> average_with_open_pads(Node& node, const std::vector<int64_t>& kernel, const AttributeMap& map) {
  Steps steps(node);
  ValueId ones = steps.expand(steps.number(node.type(0).dtype, 1), node.shape(0));
  HONE_PASS(steps.done({ones}));
  HONE_TRY(ValueId elements, with_open_pads(node, node.input(0), kernel, 0));
  HONE_TRY(ones, with_open_pads(node, ones, kernel, 0));
  ValueId mean = steps.op(OpKind::AveragePool, {elements}, map);
  if (node.attributes().integer("count_include_pad", 0) == 0)
    mean = steps.div(mean, steps.op(OpKind::AveragePool, {ones}, map));
  return steps.done({mean});
}

}  // namespace

Result<AttributeMap> window_attributes(Node& node, const std::vector<int64_t>& kernel) {
  Attributes& attributes = node.attributes();
  if (node.rank(0) < 2) return error("its input of rank {} has no channels; rank 3 or more would work", node.rank(0));
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
    pads = same_pads(node, kernel, strides, dilations, auto_pad == "SAME_UPPER");
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
  bool positions = node.kind() == OpKind::MaxPool && node.wants(1);
  if (has_open_pads(node)) {
    if (positions) return error("positions with auto_pad on a run-time size; explicit pads would work");
    if (node.kind() == OpKind::AveragePool) return average_with_open_pads(node, kernel, map);
  }
  HONE_TRY(ValueId x, with_open_pads(node, node.input(0), kernel,
                                     node.kind() == OpKind::MaxPool ? least_of(node.type(0).dtype) : 0));
  HONE_TRY(ValueId pooled, node.emit(node.kind(), {x}, map));
  if (!positions) return Values{pooled};
  map["storage_order"] = node.attributes().integer("storage_order", 0);
  HONE_TRY(ValueId indices, node.emit(OpKind::MaxPoolIndices, {node.input(0), pooled}, map));
  return Values{pooled, indices};
}

}  // namespace hone::import
