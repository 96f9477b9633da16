// Attributes that convolutions and pools share.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// strides, dilations and pads, with auto_pad worked out. Dimensions that `has_open_pads` have none.
Result<AttributeMap> window_attributes(Node& node, const std::vector<int64_t>& kernel);

// SAME with a stride on a size known at run time only: no number tells how much is padded.
bool has_open_pads(Node& node, size_t dimension);
bool has_open_pads(Node& node);
// A value of the shape of the first operand with those pads, as elements of the number `fill`.
Result<ir::ValueId> with_open_pads(Node& node, ir::ValueId value, const std::vector<int64_t>& kernel, double fill);

}  // namespace hone::import
