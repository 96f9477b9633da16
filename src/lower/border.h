// Border taps that need not be visited. Where an access falls outside its operand and the fill value makes the statement
// add the identity of its reduction, the tap is skipped: the loop over that axis is shortened, nothing is multiplied by zero.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::lower {

struct BorderDim {
  int access = 0;
  size_t dim = 0;
  bool operator==(const BorderDim&) const = default;
};

// Points with 0 ≤ step * over + rest < extent are inside; all others may be skipped.
struct Skip {
  std::string over;
  int64_t step = 1;
  ir::Index rest;  // over the kernel's parallel axes
  ir::Index extent;
  BorderDim border;  // of the group's one inner statement
};

// The extents of a buffer, or of the axes that a tile spans.
ir::Shape place_shape(const ir::Kernel& kernel, int place);

// Dimensions of a statement's accesses that may fall outside.
std::vector<BorderDim> border_dims(const ir::Kernel& kernel, const ir::Stmt& stmt);

// The skips of a group, or none if any of its border dimensions cannot be skipped this way.
std::vector<Skip> skips_of(const ir::Kernel& kernel, const ir::Group& group);

}  // namespace hone::lower
