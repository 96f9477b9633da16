// Names of a cluster's axes, after the part that they play.
#pragma once

#include "partition/coordinate.h"

namespace hone::partition {

struct NamedAxes {
  std::vector<ir::Axis> rows, cols;        // without those of extent 1
  std::map<std::string, ir::Index> place;  // axis of the meaning → axis of the cluster, or 0
};

NamedAxes name_axes(ir::OpKind kind, const ir::Indexed& meaning);

// True for axes that slide over another axis: i*stride + tap.
bool is_tap(const ir::Indexed& meaning, const std::string& axis);

}  // namespace hone::partition
