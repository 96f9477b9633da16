// Attributes that convolutions and pools share.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// strides, dilations and pads, with auto_pad worked out.
Result<AttributeMap> window_attributes(Node& node, const std::vector<int64_t>& kernel);

}  // namespace hone::import
