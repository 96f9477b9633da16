// Whether a group is well formed inside the nodes that are open around it.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::ir {

Status validate_group(const Kernel& kernel, const std::vector<const Nest*>& open, const Group& group);

}  // namespace hone::ir
