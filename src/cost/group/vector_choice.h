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

// Cycles of loading or storing a vector of so many lanes; `turned`: squares of them are turned in registers.
double touch_cycles(Stride stride, int lanes, bool turned);

// A window slides along the axis and may reach past the end: its vectors need masks.
bool has_border_along(const ir::Access& access, const std::string& axis);

}  // namespace hone::cost
