// Arithmetic on sizes that several operators share.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "ir/index.h"

namespace hone::import {

// Numbers that enter size arithmetic stay below this, so that no sum or product of two of them overflows. From here on a
// slice's end means "to the end".
inline constexpr int64_t kLargeNumber = INT32_MAX;
// More elements than any machine's memory holds.
inline constexpr int64_t kMostElements = int64_t{1} << 46;
// More dimensions come from no real model.
inline constexpr size_t kMostDimensions = 64;
// Longer expressions come from no real model.
inline constexpr size_t kLongestSize = 2000;

// a / b if b divides a as a polynomial.
std::optional<ir::Index> exact_quotient(const ir::Index& a, const ir::Index& b);

// True if no value of the symbols ≥ 0 makes them equal, as far as that can be shown.
bool provably_different(const ir::Index& a, const ir::Index& b);

// All numbers of the expression are small and the expression is short.
bool is_reasonable(const ir::Index& index);

// The number of elements; refuses more than kMostElements, counting each symbol as 1, and more than kMostDimensions.
Result<ir::Index> element_count(const ir::Shape& shape);

// The axis counted from the front.
Result<int> normal_axis(int64_t axis, size_t rank);

// The shape that Reshape's second operand asks for. Exactly one -1 takes what is left; 0 copies unless allow_zero.
Result<ir::Shape> reshape_target(const ir::Shape& from, const std::vector<ir::Index>& wanted, bool allow_zero);

// What Slice takes of one dimension: `length` elements, `step` apart. A negative start counts from the end.
struct SliceRange {
  int64_t start = 0;
  int64_t step = 1;
  ir::Index length;
  // Where the start is no number, or may lie before the dimension: `start` counts within as many elements at the end.
  std::optional<ir::Index> rest;
  // Backwards in a dimension that is no number: as many elements from the start on are turned round, then steps are taken.
  std::optional<ir::Index> turned;
  // Where neither will do: the place of the first element, counted from the front; elements are gathered from there.
  std::optional<ir::Index> first;
};
Result<SliceRange> slice_range(const ir::Index& dim, const ir::Index& start, const ir::Index& end, int64_t step);

}  // namespace hone::import
