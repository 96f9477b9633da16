// Aliases resolved: which buffer really owns the bytes of each.
#pragma once

#include <vector>

#include "runtime/executable.h"

namespace hone::runtime {

// By buffer: the buffer, itself no alias, whose bytes it names. An error for a number out of range or a cycle.
Result<std::vector<size_t>> alias_roots(const std::vector<BufferSpec>& buffers);

}  // namespace hone::runtime
