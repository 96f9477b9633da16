// Reads an ONNX model (domain '', opset 7 to 27) into a Program, or refuses it with every reason at once.
//
// Sizes: a named dimension of the model becomes a symbol of that name (made an identifier), an unnamed one becomes
// `<input>_d<k>`. Shape arithmetic is worked out while reading, so no operator of the Program computes a shape. Where two
// sizes must be equal and cannot be shown to be, import makes one of the other: a symbol becomes the other size, or a
// multiple (`32*h_by32`) where sizes agree only then; sizes that broadcast are taken to be equal too. Failing that it
// inserts a Reshape whose element counts are equal only if the sizes are: whoever binds the symbols checks those counts.
//
// Constants point into the parsed model or the mapped file of external data and keep it alive; nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "base/result.h"
#include "ir/program/program.h"

namespace hone::import {

struct ImportOptions {
  std::map<std::string, int64_t> sizes;  // symbol → the size it is fixed to
};

Result<ir::Program> import_model(const std::filesystem::path& file, const ImportOptions& options = {});

// model_folder is where external data is looked for; without one a model that has any is refused.
Result<ir::Program> import_model(std::span<const std::byte> bytes, const std::filesystem::path& model_folder = {},
                                 const ImportOptions& options = {});

}  // namespace hone::import
