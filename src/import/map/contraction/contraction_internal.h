// Contractions of values that a mapping has prepared; the quantised operators share them.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

Result<ir::ValueId> matrix_product(Node& node, ir::ValueId a, ir::ValueId b);
// Attributes of the node; `x` has the shape of its first input. The bias may be kAbsent.
Result<ir::ValueId> convolution(Node& node, ir::ValueId x, ir::ValueId w, ir::ValueId bias);

}  // namespace hone::import
