#include "library/library.h"

#include <cstring>

namespace hone::library {

namespace {

// copy(from, to; bytes)
Status copy(std::span<void* const> buffers, std::span<const int64_t> integers) {
  if (buffers.size() != 2 || integers.size() != 1 || integers[0] < 0)
    return error("library function copy takes two buffers and their bytes");
  std::memcpy(buffers[1], buffers[0], static_cast<size_t>(integers[0]));
  return Done{};
}

constexpr Entry table[] = {{"copy", copy}};

}  // namespace

std::span<const Entry> entries() {
  return table;
}

Function function_named(std::string_view name) {
  for (const Entry& entry : table)
    if (entry.name == name) return entry.function;
  return nullptr;
}

}  // namespace hone::library
