// Rewrites a kernel so that the reduction of its last group is done in passes: what it has so far stays in a tile between them.
#pragma once

#include "cost/use.h"

namespace hone::cost {

struct Pass {
  std::string axis;  // of the reduction
  ir::Index step;
};

// The last group of a kernel that has nothing but groups right inside its grid.
const ir::Group* last_group(const ir::Kernel& kernel);

// Whether everything at points is on its way into a reduction that can be continued, over whole axes.
bool can_be_continued(const ir::Group& group);

// A loop for each pass, the first outermost; axes of the reduction that are not named stay inside. The group is the last one and
// can be continued. Tiles lie along `innermost`; without one, along the last axis of the group, and do not have those that
// the grid takes one by one.
ir::Kernel in_passes(const ir::Kernel& kernel, const ir::Group& last, const std::vector<Pass>& passes,
                     const std::string& innermost = "");

}  // namespace hone::cost
