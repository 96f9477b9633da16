// Chooses vector axis, register tile, loop order and unrolling of one group.
#pragma once

#include "cost/use.h"

namespace hone::cost {

struct GroupChoice {
  ir::GroupPlan plan;
  std::string why;  // which template was taken, and why those before it in the list refused
};

GroupChoice plan_group(const ir::Kernel& kernel, const ir::Group& group, const Use& use, const target::Target& target);

}  // namespace hone::cost
