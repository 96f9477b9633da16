// Random kernels from a seed: well typed, with every kind of node, access and scalar, for tests that ask whether a
// representation survives a journey. They need not mean anything.
#pragma once

#include "base/rng.h"
#include "ir/mugraph/kernel.h"

namespace hone::ir {

Kernel random_kernel(uint64_t seed);

}  // namespace hone::ir
