// Coordinates: where in a tensor a point of a cluster lies. They are carried through views in both directions.
#pragma once

#include "partition/flow.h"

namespace hone::partition {

using Coordinate = std::vector<ir::Index>;  // one index per dimension, over the axes of a cluster

// Free of division, remainder, min and max.
bool is_affine(const ir::Index& index);
bool is_affine(const Coordinate& at);
// The axis that the index is, if it is nothing but an axis.
std::optional<std::string> plain_axis(const ir::Index& index);

ir::Ranges ranges_of(const std::vector<ir::Axis>& axes);

// The element of a tensor of shape `to` that a reshape from `from` puts at `at`. Works on the smallest runs of
// dimensions with equal products, so that indices that a reshape does not touch stay as they are.
Coordinate reshaped(const ir::Shape& from, const ir::Shape& to, const Coordinate& at, const ir::Ranges& ranges);

// Where the operand's element at `at` lies in the view's result. Nothing if the view is no bijection (or a concat).
std::optional<Coordinate> forward(const ir::Program& program, const ir::Op& view, const Coordinate& at,
                                  const ir::Ranges& ranges);

// Where the view's element at `at` lies in its operand. Only for views of one piece.
Coordinate backward(const ir::Program& program, const ir::Op& view, const Coordinate& at, const ir::Ranges& ranges);

}  // namespace hone::partition
