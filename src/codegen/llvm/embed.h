// Large blobs are not passed through the linker: it lays out an empty place for them, and their bytes are put into the
// finished library afterwards, written once and held never.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/codegen.h"

namespace hone::codegen {

// Big enough to be mapped by itself, and aligned so.
bool is_embedded(const DataBlob& blob);

// Copies the library `linked` to `path`. In `linked`, each blob has a section `.<symbol>` without contents in the first
// loaded segment, as the linker places large read-only data; in `path` it has its bytes.
Status embed_blobs(const std::string& linked, const std::vector<DataBlob>& blobs, const std::string& path);

}  // namespace hone::codegen
