// Rewrites every index of a kernel in place.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::fuse {

struct Spot {
  enum class Kind { Access, Target, Value };
  Kind kind;
  int place = -1;     // Access, Target: the buffer, tile or register
  int dimension = 0;  // Access, Target
  bool bordered = false;
};

// Calls `by` for indices of accesses, of targets, and for index values in scalars. Nests and extents are left alone.
void rewrite_indices(ir::Kernel& kernel, const std::function<ir::Index(const ir::Index&, const Spot&)>& by);

}  // namespace hone::fuse
