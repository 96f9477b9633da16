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

}  // namespace hone::measure
