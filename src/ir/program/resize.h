// Coordinates of a resize, as exact fractions. Private to this folder.
#pragma once

#include "ir/program/infer/infer.h"

namespace hone::ir {

// Output index d of a dimension reads the input at numerator / denominator (denominator > 0).
struct Coordinate {
  Index numerator, denominator;
};

Coordinate resize_coordinate(const Op& op, size_t dimension, const Shape& from, const Shape& to);
// The input index nearest to the coordinate, by the rule of the attribute `nearest`; it may fall outside the input.
Index nearest_index(const Op& op, const Coordinate& at);

Result<Types> infer_resize(const Program& program, const Op& op);
Indexed resize_meaning(const Program& program, const Op& op);

}  // namespace hone::ir
