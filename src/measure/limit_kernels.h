// The inner loops of the limits, written in assembly so that no compiler flag changes what they measure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "target/target.h"

namespace hone::measure {

// Multiply-adds on twelve independent registers; returns the operations done (a multiply-add is two).
double run_multiply_adds(target::Isa isa, int64_t turns);

// Whole blocks of kBlockBytes are read, or copied; bytes must be a positive multiple of it.
inline constexpr size_t kBlockBytes = 256;
void run_reads(target::Isa isa, const std::byte* data, size_t bytes);
void run_copies(target::Isa isa, const std::byte* from, std::byte* to, size_t bytes);

// Additions of which each needs the one before: the cycles that they take, one each.
double run_additions(int64_t turns);
// Multiply-adds of which each needs the one before; returns how many.
double run_multiply_add_chain(target::Isa isa, int64_t turns);
// Loads of the same block again and again; returns how many vectors.
double run_loads(target::Isa isa, const std::byte* block, int64_t turns);

// Reads rows of kRowBytes in strips of a block, all rows of a strip before the next; `alone`: by loads with a mask, behind which nothing
// is fetched. AVX-512 only.
inline constexpr size_t kRowBytes = 6 * kBlockBytes;
void run_strips(const std::byte* data, int64_t rows, bool alone);

}  // namespace hone::measure
