// Values of images between their pixels.
#pragma once

#include "import/map/calculator_internal.h"

namespace hone::import {

enum class Interpolation { Nearest, Linear, Cubic };
enum class Outside { Zero, Clamp, Reflect };

struct Sampled {
  Values coordinates;  // per spatial dimension, in pixels: [n, points…]; of the calculator's type
  Interpolation interpolation = Interpolation::Linear;
  Outside outside = Outside::Zero;  // what a pixel outside of the image counts
  bool align_corners = false;       // Reflect: at the centre of the last pixel instead of its far border
};

// Of x [n, c, spatial…], the values [n, c, points…].
ir::ValueId sample(Calculator& calculate, ir::ValueId x, const Sampled& sampled);

// The coordinate folded back at both borders until it lies between them.
ir::ValueId reflected(Calculator& calculate, ir::ValueId at, ir::ValueId size, bool align_corners);

// The weight of a pixel at a distance ≥ 0 from the point.
ir::ValueId cubic_weight(Calculator& calculate, ir::ValueId distance, double a);
// Weights of the four pixels around a point that lies `part` behind the second of them.
Values cubic_weights(Calculator& calculate, ir::ValueId part, double a);

}  // namespace hone::import
