// Names of a cluster's axes, after the part that they play.
#pragma once

#include "partition/coordinate.h"

namespace hone::partition {

bool is_product(ir::OpKind kind);  // of matrices

// Whether this axis of a cluster around a product or a convolution runs over what all weights meet: rows, pixels.
bool meets_weights(ir::OpKind kind, const std::string& axis);

struct NamedAxes {
  std::vector<ir::Axis> rows, cols;        // without those of extent 1
  std::map<std::string, ir::Index> place;  // axis of the meaning → axis of the cluster, or 0
};

NamedAxes name_axes(ir::OpKind kind, const ir::Indexed& meaning);

// An axis that is cut in two: k = outer*by + inner.
struct Split {
  std::string axis;
  ir::Index by;
};

// The split that rids the index of a division: of an axis, shifted by a number or not, by a divisor of its
// extent.
std::optional<Split> find_split(const ir::Index& index, const std::vector<ir::Axis>& axes);

// Replaces the axis in the list that holds it; what stands for it now. The lists name all axes there are.
std::map<std::string, ir::Index> apply_split(const Split& split, const std::vector<std::vector<ir::Axis>*>& lists);

// True for axes that slide over another axis: i*stride + tap.
bool is_tap(const ir::Indexed& meaning, const std::string& axis);

}  // namespace hone::partition
