// Index over the model's symbols → formula that the runtime evaluates.
#pragma once

#include "ir/index.h"
#include "runtime/formula.h"

namespace hone::pipeline {

runtime::Formula formula_of(const ir::Index& index, const std::vector<std::string>& symbols);

}  // namespace hone::pipeline
