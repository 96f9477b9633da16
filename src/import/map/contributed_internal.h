// Mappings of the domain com.microsoft.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

Result<Values> map_bias_gelu(Node& node);
Result<Values> map_fused_conv(Node& node);
Result<Values> map_fused_matmul(Node& node);
Result<Values> map_quick_gelu(Node& node);
Result<Values> map_skip_norm(Node& node);

}  // namespace hone::import
