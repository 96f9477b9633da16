// Minimums with zero that change nothing, because what is subtracted is known to be at least as large:
//
//   group (i) over (k) { a = max x[i, k] then t[i] = a }
//   group (i) over (k) { d = min(x[i, k] - t[i], 0) … }
//
// The minimum tells the reader and the exponential behind it that d is never positive; the machine need not compute it.
#pragma once

#include <set>

#include "ir/mugraph/kernel.h"

namespace hone::lower {

// The minimums among the group's statements that are equal to their first argument, NaN included. `group` is one of the kernel's.
std::set<const ir::ScalarNode*> needless_minimums(const ir::Kernel& kernel, const ir::Group& group);

}  // namespace hone::lower
