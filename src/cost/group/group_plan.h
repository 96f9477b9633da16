// Chooses vector axis, register tile, loop order and unrolling of one group.
#pragma once

#include "cost/use.h"

namespace hone::cost {

ir::GroupPlan plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use,
                         const target::Target& target);

// Which template was taken for the group, and why those before it in the list refused.
std::string why_template(const ir::Kernel& kernel, const ir::Group& group, const Use& use,
                         const target::Target& target);

}  // namespace hone::cost
