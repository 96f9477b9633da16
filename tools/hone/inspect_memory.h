// The memory of a run: its buffers, and where in the arena they lie.
#pragma once

#include <nlohmann/json.hpp>

#include "hone/inputs.h"

namespace hone::tools {

struct MappedBuffer {
  std::string name;
  std::string kind;  // input, output, constant, arena, alias of …
  int64_t bytes = 0;
  int64_t offset = 0;            // arena: from its begin
  int64_t first = 0, last = -1;  // arena: the steps of the schedule during which it lives
};

struct MemoryMap {
  std::vector<MappedBuffer> buffers;
  int64_t weight_bytes = 0, arena_bytes = 0, buffer_bytes = 0, scratch_bytes = 0;  // buffers + scratch = arena
  std::vector<std::string> notes;
};

Result<MemoryMap> map_memory(const runtime::Executable& executable, const InputOptions& options, int threads);

std::string memory_text(const MemoryMap& map);
nlohmann::ordered_json memory_json(const MemoryMap& map);

}  // namespace hone::tools
