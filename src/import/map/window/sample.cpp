#include "import/map/window/sample_internal.h"

namespace hone::import {

namespace {

// a s³ - 5a s² + 8a s - 4a at the distance s in [1, 2].
ValueId far_weight(Calculator& c, ValueId s, double a) {
  ValueId value = c.sub(c.mul(s, a), 5 * a);
  value = c.add(c.mul(value, s), 8 * a);
  return c.sub(c.mul(value, s), 4 * a);
}

// (a + 2) s³ - (a + 3) s² + 1 at the distance s in [0, 1].
ValueId near_weight(Calculator& c, ValueId s, double a) {
  ValueId value = c.sub(c.mul(s, a + 2), a + 3);
  return c.add(c.mul(c.mul(value, s), s), 1.0);
}

// The pixels around a coordinate along one dimension, with their weights, shaped [n, 1, points…].
struct Taps {
  Values indices, weights;
};

class Sampler {
 public:
  Sampler(Calculator& calculate, ValueId x, const Sampled& sampled) : c_(calculate), x_(x), sampled_(sampled) {
    for (size_t d = 0; d < sampled.coordinates.size() && !c_.failed(); ++d) taps_.push_back(taps_along(d));
  }

  ValueId run() {
    if (c_.failed()) return ir::kAbsent;
    return value({});
  }

 private:
  Taps taps_along(size_t d) {
    ir::Index pixels = c_.shape_of(x_)[d + 2];
    ValueId at = sampled_.coordinates[d], size = c_.size(pixels);
    // What lies further outside counts the same, and fits an integer.
    at = c_.max(c_.number(-4), c_.min(at, c_.add(size, 4.0)));
    ValueId low = c_.floor(at), part = c_.sub(at, low);
    Taps taps;
    int first = 0;
    switch (sampled_.interpolation) {
      case Interpolation::Nearest:
        taps.weights = {ir::kAbsent};
        break;
      case Interpolation::Linear:
        taps.weights = {c_.sub(c_.number(1), part), part};
        break;
      case Interpolation::Cubic:
        taps.weights = cubic_weights(c_, part, -0.75);
        first = -1;
        break;
    }
    for (size_t k = 0; k < taps.weights.size(); ++k) {
      ValueId pixel = c_.add(low, static_cast<double>(first + static_cast<int>(k)));
      taps.indices.push_back(c_.cast(inside(pixel, size), DType::I64));
      if (taps.weights[k] != ir::kAbsent) taps.weights[k] = per_channel(taps.weights[k]);
    }
    return taps;
  }

  ValueId inside(ValueId pixel, ValueId size) {
    if (sampled_.outside == Outside::Zero) return pixel;
    ValueId last = c_.sub(size, 1.0), zero = c_.number(0);
    if (sampled_.outside == Outside::Reflect) pixel = reflected(c_, pixel, size, sampled_.align_corners);
    return c_.max(c_.min(pixel, last), zero);
  }

  ValueId per_channel(ValueId weight) {
    if (c_.failed()) return ir::kAbsent;
    ir::Shape shape = c_.shape_of(weight);
    shape.insert(shape.begin() + 1, ir::Index(1));
    return c_.reshape(c_.cast(weight, c_.type_of(x_).dtype), shape);
  }

  // The value at the pixels chosen so far, interpolated along the other dimensions.
  ValueId value(Values indices) {
    if (indices.size() == taps_.size()) {
      indices.insert(indices.begin(), x_);
      return c_.op(OpKind::GatherPoints, indices);
    }
    const Taps& taps = taps_[indices.size()];
    ValueId sum = ir::kAbsent;
    indices.push_back(ir::kAbsent);
    for (size_t k = 0; k < taps.indices.size(); ++k) {
      indices.back() = taps.indices[k];
      ValueId term = value(indices);
      if (taps.weights[k] != ir::kAbsent) term = c_.mul(term, taps.weights[k]);
      sum = k == 0 ? term : c_.add(sum, term);
    }
    return sum;
  }

  Calculator& c_;
  ValueId x_;
  const Sampled& sampled_;
  std::vector<Taps> taps_;
};

}  // namespace

ValueId cubic_weight(Calculator& c, ValueId distance, double a) {
  ValueId outer = c.where(c.less(distance, c.number(2)), far_weight(c, distance, a), c.number(0));
  return c.where(c.less(distance, c.number(1)), near_weight(c, distance, a), outer);
}

Values cubic_weights(Calculator& c, ValueId part, double a) {
  ValueId rest = c.sub(c.number(1), part);
  return {far_weight(c, c.add(part, 1.0), a), near_weight(c, part, a), near_weight(c, rest, a),
          far_weight(c, c.add(rest, 1.0), a)};
}

ValueId reflected(Calculator& c, ValueId at, ValueId size, bool align_corners) {
  ValueId least = c.number(align_corners ? 0 : -0.5), length = c.sub(size, align_corners ? 1.0 : 0.0);
  length = c.max(length, c.number(1));  // one pixel: everything folds onto it
  ValueId distance = c.op(OpKind::Abs, {c.sub(at, least)});
  ValueId times = c.floor(c.div(distance, length));
  ValueId rest = c.sub(distance, c.mul(times, length));
  ValueId odd = c.less(c.mul(c.floor(c.mul(times, 0.5)), 2.0), times);
  return c.add(least, c.where(odd, c.sub(length, rest), rest));
}

ValueId sample(Calculator& calculate, ValueId x, const Sampled& sampled) {
  return Sampler(calculate, x, sampled).run();
}

}  // namespace hone::import
