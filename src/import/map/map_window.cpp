#include <algorithm>
#include <cmath>

#include "import/map/window_internal.h"
#include "import/node_internal.h"

namespace hone::import {

using ir::Index;
using ir::OpKind;

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
  return Node::single(node.emit(node.kind(), {node.input(0)}, map));
}

namespace {

struct Scale {
  int64_t up, down;
};

// The fraction that a float stands for; only one that gives exactly this float will do.
std::optional<Scale> fraction_of(double scale) {
  for (int64_t down = 1; down <= 4096; ++down) {
    double up = std::round(scale * static_cast<double>(down));
    if (up < 1 || up > 1e6) continue;
    if (static_cast<float>(up / static_cast<double>(down)) == static_cast<float>(scale))
      return Scale{static_cast<int64_t>(up), down};
  }
  return std::nullopt;
}

Result<Scale> scale_between(const Index& from, const Index& to) {
  if (from == to) return Scale{1, 1};
  if (from.constant() && to.constant() && *from.constant() > 0) return Scale{*to.constant(), *from.constant()};
  if (auto up = exact_quotient(to, from); up && up->constant()) return Scale{*up->constant(), 1};
  if (auto down = exact_quotient(from, to); down && down->constant()) return Scale{1, *down->constant()};
  return error("it resizes the run-time size {} to {}; a constant scale would work", from.text(), to.text());
}

// Scales of all dimensions; opset 18 may name the dimensions that they are for.
Result<std::vector<Scale>> scales_of(Node& node) {
  size_t rank = node.rank(0), scales_at = node.input_count() > 2 ? 2 : 1;
  if (node.op_type() == "Resize" && node.opset() >= 11) scales_at = 2;
  std::vector<int64_t> axes(rank);
  for (size_t d = 0; d < rank; ++d) axes[d] = static_cast<int64_t>(d);
  axes = node.attributes().integers("axes", axes);
  std::vector<Scale> scales(rank, Scale{1, 1});
  bool by_size = node.has(3) && !(node.numbers(scales_at) && !node.numbers(scales_at)->empty());
  auto factors = node.attributes().has("scales") ? node.attributes().numbers("scales")
                                                 : node.numbers(scales_at).value_or(std::vector<double>{});
  std::vector<Index> targets;
  if (by_size) {
    HONE_TRY(targets, node.sizes(3, "sizes"));
  }
  if ((by_size ? targets.size() : factors.size()) != axes.size())
    return error("its scales or sizes do not fit rank {}, or depend on data", rank);
  for (size_t i = 0; i < axes.size(); ++i) {
    HONE_TRY(int axis, normal_axis(axes[i], rank));
    size_t d = static_cast<size_t>(axis);
    if (by_size) {
      HONE_TRY(scales[d], scale_between(node.shape(0)[d], targets[i]));
    } else if (auto fraction = fraction_of(factors[i])) {
      scales[d] = *fraction;
    } else {
      return error("the scale {} is no fraction of small numbers", factors[i]);
    }
  }
  return scales;
}

}  // namespace

Result<Values> map_resize(Node& node) {
  Attributes& attributes = node.attributes();
  std::string mode = attributes.text("mode", "nearest");
  bool old = node.op_type() == "Upsample" || node.opset() < 11;
  if (attributes.integer("antialias", 0) != 0 || attributes.integer("exclude_outside", 0) != 0 ||
      attributes.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    return error("antialias, exclude_outside and keep_aspect_ratio_policy are not supported");
  HONE_TRY(std::vector<Scale> scales, scales_of(node));
  std::vector<int64_t> up, down;
  for (const Scale& scale : scales) {
    up.push_back(scale.up);
    down.push_back(scale.down);
  }
  AttributeMap map{{"mode", mode},
                   {"coordinate", attributes.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel")},
                   {"nearest", attributes.text("nearest_mode", old ? "floor" : "round_prefer_floor")},
                   {"numerators", up},
                   {"denominators", down}};
  return Node::single(node.emit(OpKind::Resize, {node.input(0)}, map));
}

}  // namespace hone::import
