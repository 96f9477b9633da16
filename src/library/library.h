// Library kernels: what cannot be a tile program, as plain C++ functions called by name. One thread runs each call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace hone::library {

// buffers: inputs, then outputs. integers: sizes and attributes, in the order that the function's comment states.
// An error ends the run and is told to the user.
using Function = Status (*)(std::span<void* const> buffers, std::span<const int64_t> integers);

struct Entry {
  std::string_view name;
  Function function;
};

std::span<const Entry> entries();                // sorted by name
Function function_named(std::string_view name);  // null if there is none

}  // namespace hone::library
