// Runs a function of Loop IR statement by statement on real buffers: what compiled code must do, told plainly. For tests.
#pragma once

#include <cstdint>

#include "ir/loop/loop.h"

namespace hone::eval {

// Arguments as in abi/kernel.h. Fails where validate fails.
Status interpret(const ir::loop::Function& function, void* const* buffers, const int64_t* sizes, int64_t begin,
                 int64_t end, void* scratch);

}  // namespace hone::eval
