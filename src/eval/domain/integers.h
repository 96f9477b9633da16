// Integer and bool arithmetic, the same in every number domain: exact, then wrapped to the type.
#pragma once

#include <optional>
#include <string>

#include "ir/scalar.h"

namespace hone::eval {

// `type` is that of the arguments; comparisons give 0 or 1. Sets problem (division by zero, no such operation on
// integers) and gives 0 where there is no result. Not for Select.
int64_t integer_operation(ir::ScalarOp op, ir::DType type, const int64_t* args, std::optional<std::string>& problem);

}  // namespace hone::eval
