// Attention as one kernel: a loop over tiles of keys carries, for each query of the task, the greatest logit met so far, the
// sum of exponentials relative to it and the sum of values weighted by them. The scores never leave the cache.
//
// Scores are kept keys by queries: what the softmax takes over keys then runs along the tile, a vector of queries at a time,
// and only the queries have to be turned, once a task. The greatest logit starts at the least finite number: a tile of keys
// that are all masked by -inf then adds nothing, and a query with no other keys ends as 0 / 0, as it does in the softmax.
#pragma once

#include "fuse/emit/emit.h"

namespace hone::fuse {

Emitted emit_attention(const Draft& draft, const ir::Program& program);

}  // namespace hone::fuse
