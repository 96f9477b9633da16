// What the quantised operators share.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// A ratio of numbers to their scale, brought to a type: for integers round(ratio) + zero point, as near as the type comes
// to it. The zero point, which broadcasts, may be kAbsent.
Result<ir::ValueId> quantised(Node& node, ir::ValueId ratio, ir::ValueId zero_point, ir::DType type, bool saturate);

}  // namespace hone::import
