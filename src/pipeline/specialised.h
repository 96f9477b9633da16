// A model whose structure depends on the values of some inputs, or on which sizes are 1: one session for each case met.
#pragma once

#include "pipeline/compile.h"
#include "pipeline/model_source.h"

namespace hone::pipeline {

// Compiles when a call tells the values of the inputs that are undecided.
Result<std::shared_ptr<runtime::Runner>> specialise(std::shared_ptr<const ModelSource> source, const Options& options,
                                                    const import::Undecided& undecided);

}  // namespace hone::pipeline
