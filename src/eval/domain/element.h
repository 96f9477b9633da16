// One element in memory: how its bytes become a number and back. Unsigned 64-bit values are held by their bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/type.h"

namespace hone::eval {

double load_real(ir::DType type, const std::byte* at);    // floating-point types
int64_t load_whole(ir::DType type, const std::byte* at);  // integers, bool, bits of storage types
void store_real(ir::DType type, double value, std::byte* at);
void store_whole(ir::DType type, int64_t value, std::byte* at);  // keeps the low bits

// The value brought into the integer type's range by dropping high bits; bool: whether it is not zero.
int64_t wrapped(ir::DType type, int64_t value);
// Towards zero; saturates; NaN is 0. Bool: whether it is not zero.
int64_t to_whole(ir::DType type, double value);
// The bits that a floating-point value has in memory, sign-extended, and the value that has them.
int64_t real_bits(ir::DType type, double value);
double real_of_bits(ir::DType type, int64_t bits);
double to_real(ir::DType type, int64_t value);  // the integer of that type as a double

}  // namespace hone::eval
