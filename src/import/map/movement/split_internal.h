// What Split and SplitToSequence share.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// Operand 0, its size along the axis made the sum of the lengths. Refused if it cannot be, or if a length is none.
Result<ir::ValueId> whole_of(Node& node, size_t axis, const std::vector<int64_t>& lengths);

}  // namespace hone::import
