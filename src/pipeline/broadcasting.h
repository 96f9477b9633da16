// A model in which sizes of inputs broadcast: one program takes them to be equal, and others serve calls where some are 1.
#pragma once

#include "pipeline/compile.h"
#include "pipeline/model_source.h"

namespace hone::pipeline {

// Compiles the program that import decided on; a call that does not fit it compiles another from the source.
Result<std::shared_ptr<runtime::Runner>> open_broadcasting(std::shared_ptr<const ModelSource> source,
                                                           import::ImportOptions given, import::Decided decided,
                                                           const Options& options);

}  // namespace hone::pipeline
