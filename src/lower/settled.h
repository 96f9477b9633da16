// Selects between values by a comparison of indices, such as a causal mask. In most register tiles the comparison holds at
// every point; those tiles need no select.
#pragma once

#include <set>

#include "ir/mugraph/kernel.h"

namespace hone::lower {

struct IndexSelect {
  const ir::ScalarNode* select = nullptr;
  ir::Index excess;  // over the kernel's axes; the condition holds where it is at most 0
};

std::vector<IndexSelect> index_selects(const std::vector<ir::Stmt>& stmts);

// The largest value of an index over a box: `points` of each axis from its begin on. Nothing if it is not linear.
std::optional<ir::Index> largest_in(const ir::Index& index, const std::map<std::string, int64_t>& points);

}  // namespace hone::lower
