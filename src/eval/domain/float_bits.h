// Rounding to, and bits of, the floating-point types that C++ has no name for here. Slow and plain on purpose.
#pragma once

#include <cstdint>

#include "ir/type.h"

namespace hone::eval {

// The nearest value of the type (ties to even), as a double. Types that are not floating-point are left alone.
double rounded(ir::DType type, double value);

double of_half(uint16_t bits);
uint16_t half_bits(double value);
double of_bfloat(uint16_t bits);
uint16_t bfloat_bits(double value);

}  // namespace hone::eval
