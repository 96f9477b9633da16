// Random programs: contractions, windows, reductions, views and element-wise operators at awkward sizes. In exact mode every
// value stays a small whole number, so that compiled code must equal the interpreter bit for bit.
#pragma once

#include "base/rng.h"
#include "fuse/program_builder.h"

namespace hone::fuse {

enum class Numbers { Exact, Float };
enum class Extents { Tiny, Awkward };  // up to 5; up to 33, around powers of two, now and then 0

// `steps` cuts the program short: the first steps of a seed are the same whatever follows, which is how failures shrink.
ir::Program random_program(uint64_t seed, Numbers numbers, Extents extents, int steps);
int steps_of(uint64_t seed);

}  // namespace hone::fuse
