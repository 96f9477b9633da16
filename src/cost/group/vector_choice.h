// Chooses the axis along which a group's vectors lie, by what touching memory costs.
#pragma once

#include "cost/group/group_space.h"

namespace hone::cost {

struct VectorChoice {
  std::string axis;
  int lanes = 1;
  std::string across;  // if not empty: loads are contiguous along this axis and turned in registers
};

VectorChoice choose_vector(const Space& space);

}  // namespace hone::cost
