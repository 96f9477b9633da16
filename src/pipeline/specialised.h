// A model whose structure depends on the values of some inputs, or on which sizes are 1: one session for each case met.
#pragma once

#include "base/result.h"
#include "import/import.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

struct ModelSource {
  std::vector<std::byte> bytes;  // of the ONNX file
  std::filesystem::path folder;  // of its external data
};

Result<ModelSource> read_source(const std::filesystem::path& model);

// Compiles when a call tells the values of the inputs that are undecided.
Result<std::shared_ptr<runtime::Runner>> specialise(ModelSource source, const Options& options,
                                                    const import::Undecided& undecided);

}  // namespace hone::pipeline
