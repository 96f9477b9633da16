// What the quantised operators share.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

// A ratio of numbers to their scale, brought to a type: for integers round(ratio) + zero point, as near as the type comes
// to it. The zero point, which broadcasts, may be kAbsent.
Result<ir::ValueId> quantised(Node& node, ir::ValueId ratio, ir::ValueId zero_point, ir::DType type, bool saturate);

// Operators of com.microsoft that static quantisation writes.
Result<Values> map_qlinear_binary(Node& node);      // QLinearAdd, QLinearMul
Result<Values> map_qlinear_activation(Node& node);  // QLinearSigmoid, QLinearLeakyRelu
Result<Values> map_qlinear_concat(Node& node);
Result<Values> map_qlinear_global_average_pool(Node& node);
Result<Values> map_qgemm(Node& node);
Result<Values> map_matmul_integer_to_float(Node& node);

}  // namespace hone::import
