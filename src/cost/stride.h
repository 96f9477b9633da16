// How an access moves when one axis moves.
#pragma once

#include "cost/use.h"

namespace hone::cost {

enum class Stride { Invariant, Contiguous, Alternate, Strided, Packable };  // Alternate: every other element

// Packable: a weight whose layout is still open, so it can be made contiguous along the axis.
Stride stride_of(const ir::Kernel& kernel, const Use& use, int place, const std::vector<ir::Index>& index,
                 const std::string& axis);

// Points of a loop's axis that one pass takes at most: enough to make starting one cheap.
constexpr int64_t kPassPoints = 128;

int64_t extent_of(const ir::Kernel& kernel, const Use& use, const std::string& axis);

// A reduction whose body multiplies: the inner statements of a contraction.
bool is_contraction(const ir::Group& group);

}  // namespace hone::cost
