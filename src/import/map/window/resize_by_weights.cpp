// Along each resized dimension a result is a weighted sum of neighbouring pixels. Where they stand and what they weigh
// depends on the result's index along that dimension alone: two small tables, worked out by ops so that sizes may be
// known only at run time.
#include <cmath>

#include "import/map/calculator_internal.h"
#include "import/map/window/resize_internal.h"
#include "import/map/window/sample_internal.h"

namespace hone::import {

namespace {

class Weights {
 public:
  Weights(Node& node, const ResizeSetting& setting, Calculator& calculate)
      : node_(node), setting_(setting), c_(calculate) {}

  // Both [results, taps]; beyond is [results], absent where nothing is extrapolated.
  struct Table {
    ValueId pixels = ir::kAbsent, weights = ir::kAbsent, beyond = ir::kAbsent;
  };

  Table along(const Resized& dim) {
    Table table;
    ValueId at = c_.reshape(coordinate(dim), {dim.to, 1}), last = c_.sub(c_.size(dim.from), 1.0);
    if (setting_.coordinate == "tf_crop_and_resize") {
      ValueId outside = c_.op(OpKind::Or, {c_.less(at, c_.number(0)), c_.less(last, at)});
      table.beyond = c_.reshape(outside, {dim.to});
    }
    ValueId low = c_.floor(at), taps = neighbours(dim);
    ValueId pixels = c_.add(low, taps), distance = c_.sub(taps, c_.sub(at, low));
    if (shrinks(dim)) distance = c_.mul(distance, scale_of(dim));
    table.weights = weight(at, pixels, distance);
    if (setting_.exclude_outside) {
      ValueId outside = c_.op(OpKind::Or, {c_.less(pixels, c_.number(0)), c_.less(last, pixels)});
      table.weights = c_.where(outside, c_.number(0), table.weights);
    }
    if (setting_.exclude_outside || setting_.antialias)
      table.weights = c_.div(table.weights, c_.reshape(c_.sum(table.weights, 1), {dim.to, 1}));
    table.pixels = c_.cast(c_.max(c_.number(0), c_.min(pixels, last)), DType::I64);
    return table;
  }

 private:
  static double scale_of(const Resized& dim) { return static_cast<double>(dim.up) / static_cast<double>(dim.down); }
  bool shrinks(const Resized& dim) const { return setting_.antialias && dim.up < dim.down; }

  // Where a result stands among the pixels.
  ValueId coordinate(const Resized& dim) {
    const std::string& rule = setting_.coordinate;
    ValueId x = c_.range(dim.to), from = c_.size(dim.from), to = c_.size(dim.to);
    ValueId scale = dim.up > 0 ? c_.number(scale_of(dim)) : c_.div(to, from);
    ValueId length = c_.mul(from, scale), last = c_.sub(from, 1.0);
    if (rule == "asymmetric") return c_.div(x, scale);
    if (rule == "align_corners" || rule == "tf_crop_and_resize") {
      // With one result there is no distance between results.
      ValueId steps = c_.sub(length, 1.0), one = c_.op(OpKind::Equal, {length, c_.number(1)});
      ValueId step = c_.div(last, c_.where(one, c_.number(1), steps));
      if (rule == "align_corners") return c_.mul(x, step);
      ValueId begin = roi(dim.number), size = c_.sub(roi(setting_.axis_count + dim.number), begin);
      ValueId within = c_.where(one, c_.mul(last, 0.5), c_.mul(x, step));
      return c_.add(c_.mul(within, size), c_.mul(begin, last));
    }
    ValueId centred = c_.sub(c_.div(c_.add(x, 0.5), scale), 0.5);
    if (rule == "half_pixel_symmetric")
      return c_.add(centred, c_.mul(c_.mul(from, 0.5), c_.sub(c_.number(1), c_.div(to, length))));
    if (rule == "pytorch_half_pixel") return c_.where(c_.op(OpKind::Equal, {to, c_.number(1)}), c_.number(0), centred);
    return centred;
  }

  ValueId roi(size_t number) { return c_.cast(c_.pick(node_.input(1), 0, static_cast<int64_t>(number)), DType::F64); }

  // How far the taps stand from the pixel at or before the coordinate.
  ValueId neighbours(const Resized& dim) {
    double reach = setting_.mode == "cubic" ? 2 : 1;
    if (setting_.mode == "nearest") return c_.reshape(c_.number(0), {1, 1});
    if (shrinks(dim)) reach = reach / scale_of(dim);
    double first = std::floor(-reach) + 1;
    int64_t count = 2 - 2 * static_cast<int64_t>(first);
    return c_.reshape(c_.add(c_.range(count), first), {1, count});
  }

  ValueId weight(ValueId at, ValueId& pixels, ValueId distance) {
    if (setting_.mode == "nearest") {
      pixels = nearest(at);
      return c_.op(OpKind::Fill, {}, {{"value", 1.0}, {"dtype", std::string("f64")}}, c_.type_of(pixels));
    }
    ValueId far = c_.op(OpKind::Abs, {distance});
    if (setting_.mode == "linear") return c_.max(c_.number(0), c_.sub(c_.number(1), far));
    return cubic_weight(c_, far, setting_.cubic);
  }

  ValueId nearest(ValueId at) {
    if (setting_.nearest == "floor") return c_.floor(at);
    if (setting_.nearest == "ceil") return c_.op(OpKind::Ceil, {at});
    if (setting_.nearest == "round_prefer_ceil") return c_.floor(c_.add(at, 0.5));
    return c_.op(OpKind::Ceil, {c_.sub(at, 0.5)});
  }

  Node& node_;
  const ResizeSetting& setting_;
  Calculator& c_;
};

Status check(Node& node, const ResizeSetting& setting) {
  constexpr const char* kCoordinates[] = {"asymmetric",         "half_pixel",    "half_pixel_symmetric",
                                          "pytorch_half_pixel", "align_corners", "tf_crop_and_resize"};
  auto known = [&](const char* name) { return setting.coordinate == name; };
  if (std::none_of(std::begin(kCoordinates), std::end(kCoordinates), known))
    return error("coordinate transformation '{}' is not supported", setting.coordinate);
  if (setting.mode != "nearest" && setting.mode != "linear" && setting.mode != "cubic")
    return error("mode '{}' is not supported; nearest, linear and cubic are", setting.mode);
  if (setting.mode == "nearest" && setting.antialias) return error("antialias goes with mode linear or cubic");
  if (setting.mode != "nearest" && !is_float(node.type(0).dtype))
    return error("mode '{}' on {}; floating-point tensors would work", setting.mode, name_of(node.type(0).dtype));
  for (const Resized& dim : setting.dims)
    if (setting.antialias && dim.changes && dim.up == 0)
      return error("antialias on the run-time size {}; a constant scale would work", dim.from.text());
  if (setting.coordinate != "tf_crop_and_resize") return Done{};
  Index wanted = static_cast<int64_t>(2 * setting.axis_count);
  if (!node.has(1) || node.rank(1) != 1 || !(node.shape(1)[0] == wanted))
    return error("tf_crop_and_resize needs a roi of {} numbers", wanted.text());
  return Done{};
}

}  // namespace

Result<ValueId> resize_by_weights(Node& node, const ResizeSetting& setting) {
  HONE_PASS(check(node, setting));
  Calculator c(node, DType::F64);
  DType type = node.type(0).dtype;
  ValueId y = node.input(0);
  std::vector<std::pair<size_t, ValueId>> beyond;
  for (size_t d = 0; d < setting.dims.size(); ++d) {
    if (!setting.dims[d].changes) continue;
    Weights::Table table = Weights(node, setting, c).along(setting.dims[d]);
    y = c.op(OpKind::Gather, {y, table.pixels}, {{"axis", static_cast<int64_t>(d)}});
    ir::Shape along(setting.dims.size() + 1, 1);
    along[d] = setting.dims[d].to;
    if (c.failed()) break;
    along[d + 1] = c.shape_of(table.pixels)[1];
    if (setting.mode != "nearest") y = c.mul(y, c.reshape(c.cast(table.weights, type), along));
    if (setting.mode != "nearest") y = c.sum(y, static_cast<int64_t>(d) + 1);
    if (setting.mode == "nearest") y = c.pick(y, d + 1, 0);
    if (table.beyond != ir::kAbsent) beyond.push_back({d, table.beyond});
  }
  for (auto& [d, outside] : beyond) {
    ir::Shape along(setting.dims.size(), 1);
    along[d] = setting.dims[d].to;
    Calculator plain(node, type);
    y = c.where(c.reshape(outside, along), plain.number(setting.extrapolation), y);
  }
  return c.result(y);
}

}  // namespace hone::import
