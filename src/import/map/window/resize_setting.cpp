#include <algorithm>
#include <cmath>
#include <numeric>

#include "import/map/window/resize_internal.h"

namespace hone::import {

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

// A number if there is one.
Scale scale_between(const Index& from, const Index& to) {
  if (from == to) return {1, 1};
  auto x = from.constant(), y = to.constant();
  if (x && y && *x > 0 && *y > 0) return {*y / std::gcd(*x, *y), *x / std::gcd(*x, *y)};
  if (auto up = exact_quotient(to, from); up && up->constant().value_or(0) > 0) return {*up->constant(), 1};
  if (auto down = exact_quotient(from, to); down && down->constant().value_or(0) > 0) return {1, *down->constant()};
  return {0, 0};
}

Result<std::vector<size_t>> axes_of(Node& node) {
  std::vector<int64_t> all(node.rank(0));
  std::iota(all.begin(), all.end(), 0);
  std::vector<size_t> axes;
  for (int64_t given : node.attributes().integers("axes", all)) {
    HONE_TRY(int axis, normal_axis(given, node.rank(0)));
    if (std::count(axes.begin(), axes.end(), static_cast<size_t>(axis)) > 0) return error("its axes repeat {}", axis);
    axes.push_back(static_cast<size_t>(axis));
  }
  return axes;
}

void take_scale(Resized& dim, const Scale& scale, bool rounded) {
  dim.up = scale.up;
  dim.down = scale.down;
  dim.to =
      floor_div(rounded ? dim.from * (2 * dim.up) + dim.down : dim.from * dim.up, rounded ? 2 * dim.down : dim.down);
  dim.changes = dim.up != dim.down;
}

Status take_scales(const std::vector<size_t>& axes, const std::vector<double>& factors, std::vector<Resized>& dims) {
  if (factors.size() != axes.size()) return error("it has {} scales for {} dimensions", factors.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    auto fraction = fraction_of(factors[i]);
    if (!fraction) return error("the scale {} is no fraction of small numbers", factors[i]);
    take_scale(dims[axes[i]], *fraction, false);
  }
  return Done{};
}

// One scale for all axes: the least or the largest that the wanted sizes ask for.
Status keep_aspect_ratio(const std::vector<size_t>& axes, const std::vector<Index>& targets, bool not_larger,
                         std::vector<Resized>& dims) {
  std::optional<Scale> chosen;
  for (size_t i = 0; i < axes.size(); ++i) {
    Scale scale = scale_between(dims[axes[i]].from, targets[i]);
    if (scale.up == 0)
      return error("keep_aspect_ratio_policy on the run-time size {}; numbers would work", dims[axes[i]].from.text());
    bool less = chosen && scale.up * chosen->down < chosen->up * scale.down;
    if (!chosen || less == not_larger) chosen = scale;
  }
  for (size_t axis : axes) take_scale(dims[axis], *chosen, true);
  return Done{};
}

Status take_sizes(Node& node, const std::vector<size_t>& axes, ResizeSetting& setting) {
  HONE_TRY(std::vector<Index> targets, node.sizes(3, "sizes"));
  if (targets.size() != axes.size()) return error("it has {} sizes for {} dimensions", targets.size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const Index& target = targets[i];
    if (target.constant().value_or(0) < 0) return error("it has the negative size {}", target.text());
    if (target.is(0) && !setting.dims[axes[i]].from.is(0))
      return error("it has the size 0 for dimension {}; 1 or more would work", axes[i]);
    if (!is_reasonable(target)) return error("its size of {} is out of bounds", target.text());
  }
  std::string policy = node.attributes().text("keep_aspect_ratio_policy", "stretch");
  if (policy == "not_larger" || policy == "not_smaller") {
    setting.rounded = true;
    return keep_aspect_ratio(axes, targets, policy == "not_larger", setting.dims);
  }
  if (policy != "stretch") return error("keep_aspect_ratio_policy '{}' is unknown", policy);
  for (size_t i = 0; i < axes.size(); ++i) {
    Resized& dim = setting.dims[axes[i]];
    Scale scale = scale_between(dim.from, targets[i]);
    dim.up = scale.up;
    dim.down = scale.down;
    dim.to = targets[i];
    dim.changes = scale.up == 0 || scale.up != scale.down;
  }
  return Done{};
}

}  // namespace

// Scales were an attribute, then input 1, then input 2; sizes came beside them.
Result<ResizeSetting> resize_setting(Node& node) {
  Attributes& attributes = node.attributes();
  bool old = node.op_type() == "Upsample" || node.opset() < 11;
  ResizeSetting setting;
  setting.mode = attributes.text("mode", "nearest");
  setting.coordinate = attributes.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  setting.nearest = attributes.text("nearest_mode", old ? "floor" : "round_prefer_floor");
  setting.antialias = attributes.integer("antialias", 0) != 0;
  setting.exclude_outside = attributes.integer("exclude_outside", 0) != 0;
  setting.cubic = attributes.number("cubic_coeff_a", -0.75);
  setting.extrapolation = attributes.number("extrapolation_value", 0);
  if (setting.mode == "bilinear" || setting.mode == "trilinear") setting.mode = "linear";
  HONE_TRY(std::vector<size_t> axes, axes_of(node));
  setting.axis_count = axes.size();
  for (const Index& size : node.shape(0)) setting.dims.push_back({1, 1, size, size});
  for (size_t i = 0; i < axes.size(); ++i) setting.dims[axes[i]].number = i;
  size_t scales_at = old ? 1 : 2;
  bool by_size = node.has(3) && !(node.numbers(scales_at) && !node.numbers(scales_at)->empty());
  if (by_size) {
    HONE_PASS(take_sizes(node, axes, setting));
  } else {
    auto factors = attributes.has("scales") ? std::optional(attributes.numbers("scales")) : node.numbers(scales_at);
    // Opset 1 of Upsample has two numbers, for images.
    if (attributes.has("height_scale") && node.rank(0) == 4)
      factors = {1, 1, attributes.number("height_scale", 1), attributes.number("width_scale", 1)};
    if (!factors) return error("its scales depend on data; constants would work");
    HONE_PASS(take_scales(axes, *factors, setting.dims));
  }
  if (setting.coordinate == "tf_crop_and_resize")
    for (size_t axis : axes) setting.dims[axis].changes = true;
  return setting;
}

}  // namespace hone::import
