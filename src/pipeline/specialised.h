// A model whose structure depends on the values of some inputs: one session for each content of those inputs.
#pragma once

#include "base/result.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

struct ModelSource {
  std::vector<std::byte> bytes;  // of the ONNX file
  std::filesystem::path folder;  // of its external data
};

Result<ModelSource> read_source(const std::filesystem::path& model);

// `problem` is why the model could not be compiled as it is; it is given back where values of inputs would not help.
Result<std::shared_ptr<runtime::Runner>> specialise(Result<ModelSource> source, const Options& options,
                                                    const Error& problem);

}  // namespace hone::pipeline
