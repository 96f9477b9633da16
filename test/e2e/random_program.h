// Random programs for the whole compiler: contractions, windows, reductions, views and element-wise operators at awkward
// sizes. In exact mode every value stays a small whole number, so compiled code must equal the interpreter bit for bit.
#pragma once

#include "base/rng.h"
#include "fuse/program_builder.h"

namespace hone::e2e {

enum class Numbers { Exact, Float };

// `steps` cuts the program short: the first steps of a seed are the same whatever follows, which is how failures shrink.
ir::Program random_program(uint64_t seed, Numbers numbers, int steps);
int steps_of(uint64_t seed);

}  // namespace hone::e2e
