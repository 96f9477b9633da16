// Resize as its operands say it, before it is decided how it is computed.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// One dimension. The scale is up / down; where it is known only at run time both are 0, and it is to / from.
struct Resized {
  int64_t up = 1, down = 1;
  ir::Index from, to;
  bool changes = false;  // it is resized, or a part of it is cut out
  size_t number = 0;     // among the axes that the node lists: where its part of roi stands
};

struct ResizeSetting {
  std::string mode, coordinate, nearest;
  bool antialias = false, exclude_outside = false;
  double cubic = -0.75, extrapolation = 0;
  bool rounded = false;  // sizes are rounded half up instead of down
  size_t axis_count = 0;
  std::vector<Resized> dims;
};

Result<ResizeSetting> resize_setting(Node& node);

// By weights of pixels along one dimension after the other: what the Resize op does not do.
Result<ir::ValueId> resize_by_weights(Node& node, const ResizeSetting& setting);

}  // namespace hone::import
