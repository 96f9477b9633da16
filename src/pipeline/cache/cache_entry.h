// One file of the cache: a header, the description (executable and objects), the weights. The header holds a digest of
// each, and of itself.
#pragma once

#include <istream>
#include <optional>
#include <span>

#include "base/digest.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

constexpr uint64_t kEntryMagic = 0x3165686361636e68;  // "hncache1"

struct EntryHeader {
  uint64_t magic = kEntryMagic;
  uint64_t description_bytes = 0, weight_bytes = 0;
  Digest description, weights;
  Digest numbers;  // of the fields above
};

EntryHeader header_of(std::span<const std::byte> description, std::span<const std::byte> weights);
std::vector<std::byte> description_of(const CompiledModel& model);

// The model of a file of that many bytes; nothing if the file is damaged.
std::optional<CompiledModel> read_entry(std::istream& file, uint64_t file_bytes);

}  // namespace hone::pipeline
