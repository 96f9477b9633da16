// Which axes of a kernel are cut into tiles, at which level, in which order. Sizes of tiles stay parameters: T_<axis>, and
// T_<axis>_inner for the few points of an axis that a loop inside a tile takes at a time.
#pragma once

#include "fuse/emit/phases.h"

namespace hone::fuse {

struct Opening {
  bool grid = true;
  std::string axis;
  ir::Index step;
};

struct Openings {
  std::vector<Opening> nests;      // from the outermost
  std::vector<std::string> tiled;  // row axes that still have more than one point, or are the innermost loop
};

Openings openings_of(const Draft& draft, const Phases& phases);

}  // namespace hone::fuse
