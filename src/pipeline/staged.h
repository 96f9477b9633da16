// A model with sizes that depend on data, as a chain of sessions.
#pragma once

#include "pipeline/compile.h"

namespace hone::pipeline {

Result<std::shared_ptr<runtime::Runner>> open_staged(const ir::Program& program, const Options& options);

}  // namespace hone::pipeline
