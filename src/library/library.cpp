#include "library/library.h"

#include <cstring>

#include "library/functions_internal.h"

namespace hone::library {

namespace {

// (from -> to; bytes)
Status copy(Buffers buffers, Integers integers) {
  if (buffers.size() != 2 || integers.size() != 1 || integers[0] < 0)
    return error("library function copy takes two buffers and their bytes");
  std::memcpy(buffers[1], buffers[0], static_cast<size_t>(integers[0]));
  return Done{};
}

constexpr Entry table[] = {{"copy", copy},
                           {"det", det},
                           {"non_max_suppression", non_max_suppression},
                           {"nonzero", nonzero},
                           {"roi_align", roi_align},
                           {"scatter_elements", scatter_elements},
                           {"scatter_nd", scatter_nd},
                           {"top_k", top_k},
                           {"unique", unique}};

}  // namespace

std::span<const Entry> entries() {
  return table;
}

Function function_named(std::string_view name) {
  for (const Entry& entry : table)
    if (entry.name == name) return entry.function;
  return nullptr;
}

Status check_call(const char* name, Buffers buffers, size_t buffer_count, Integers integers, size_t fewest_integers) {
  if (buffers.size() == buffer_count && integers.size() >= fewest_integers) return Done{};
  return error("library function {} takes {} buffers and at least {} integers, is given {} and {}", name, buffer_count,
               fewest_integers, buffers.size(), integers.size());
}

Result<int64_t> checked_index(int64_t index, int64_t size) {
  if (index < -size || index >= size) return error("index {} is outside a dimension of {}", index, size);
  return index < 0 ? index + size : index;
}

}  // namespace hone::library
