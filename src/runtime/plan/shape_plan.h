// ShapePlan: every number of a run that follows from the values of the model's symbols. Made once per shape, in
// microseconds, then shared by all calls with it.
#pragma once

#include <span>

#include "runtime/plan/schedule.h"
#include "runtime/runner.h"

namespace hone::runtime {

struct PlannedOp {
  int64_t tasks = 0;     // Kernel
  bool serial = false;   // worker 0 does it alone: library functions and kernels of one task
  bool barrier = false;  // the workers meet before it
};

struct ShapePlan {
  std::vector<int64_t> symbols;
  Shapes input_shapes, output_shapes;
  std::vector<int64_t> input_bytes, output_bytes;  // dense
  std::vector<PlannedOp> ops;                      // by op of the Schedule
  bool shared = false;                             // some op has work for more than one worker
  std::vector<int64_t> sizes;                      // by size number of the Schedule
  std::vector<int64_t> offsets;                    // by buffer; of arena roots
  int64_t scratch_begin = 0;                       // in the arena, behind the buffers: one piece per worker
  int64_t scratch_bytes = 0;                       // of a piece, a multiple of 64
  int64_t arena_bytes = 0;                         // all of it
};

// What the inputs' dimensions must be for these values of the symbols.
Result<Shapes> input_shapes(const Executable& executable, std::span<const int64_t> symbols);

// An error if a size has no value, is negative, or exceeds what the memory it lives in holds.
Result<ShapePlan> make_shape_plan(const Executable& executable, const Schedule& schedule,
                                  std::span<const int64_t> symbols, int workers);

}  // namespace hone::runtime
