// Positions of extreme elements: ArgMax, ArgMin, Hardmax.
#pragma once

#include "import/map/steps_internal.h"

namespace hone::import {

// Where along the axis the extremum stands (ReduceMax or ReduceMin): its first place, or its last. NaN is more extreme
// than any number.
struct ExtremumSearch {
  ir::OpKind extremum;
  int64_t axis;
  bool last = false;
  bool keep = true;  // the axis stays, with size 1
};
ir::ValueId extremum_position(Steps& steps, ir::ValueId x, const ir::Shape& shape, const ExtremumSearch& search);

}  // namespace hone::import
