// Scans whose step is a body of the model: as one kernel where the step is a tile program, else as a loop.
#pragma once

#include "partition/flow.h"

namespace hone::partition {

// Appends to `into` what computes `op`, a Scan whose operands are values of `into`. Constants of its step become operands,
// for a kernel reads tensors from its buffers.
void append_scan(ir::Program& into, ir::Op op);

}  // namespace hone::partition
