// What the bits of the storage types mean: casts from and to them as scalar bodies, so that the interpreter and compiled
// code follow from one definition.
#pragma once

#include "ir/scalar.h"

namespace hone::ir {

// How a number that a storage type does not hold becomes one that it holds.
struct StorageRounding {
  bool saturate = true;                 // to the largest number; else to infinity, or NaN where there is none
  enum class To { Nearest, Up, Down };  // of f8e8m0 alone; the others round to the nearest, ties to even
  To to = To::Up;
};

// The value of a storage type as an f32, or as an i32 if it is an integer: exact.
Scalar from_storage(const Scalar& value);
// The value, of any type, in a storage type. Integers keep their low bits.
Scalar to_storage(DType type, const Scalar& value, const StorageRounding& rounding);

}  // namespace hone::ir
