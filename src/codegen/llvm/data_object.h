// A relocatable ELF file that carries blobs, written without an assembler.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/codegen.h"

namespace hone::codegen {

// Each blob gets a read-only section `.<symbol>` of its alignment, the symbol, and `<symbol>_size` (a uint64_t). Those
// that are embedded later (embed.h) get room only.
Status write_data_object(const std::vector<DataBlob>& blobs, const std::string& path);

}  // namespace hone::codegen
