// The functions that library.cpp lists. Each says what it takes: (inputs -> outputs; integers).
#pragma once

#include "library/library.h"

namespace hone::library {

using Buffers = std::span<void* const>;
using Integers = std::span<const int64_t>;

Status check_call(const char* name, Buffers buffers, size_t buffer_count, Integers integers, size_t fewest_integers);
// An index that counts from the end if it is negative, brought to [0, size); an error if it is outside.
Result<int64_t> checked_index(int64_t index, int64_t size);

// (x -> values, indices; element, outer, size, inner, k, largest): of each row of `size` elements, `inner` apart, the k
// largest or smallest, in order, and where they stand. A NaN is larger than every number; of equal ones the first comes
// first.
Status top_k(Buffers buffers, Integers integers);

// (data, indices, updates -> result; element, element of the indices, reduction, axis, rank, sizes of data…, sizes of
// indices…). Reductions: 0 none (of several the last), 1 add, 2 mul, 3 max, 4 min; a NaN wins. Integers wrap; on bools
// add and max are or, mul and min are and.
Status scatter_elements(Buffers buffers, Integers integers);

// (data, indices, updates -> result; element, element of the indices, reduction, number of index tuples, elements of a
// block, length of a tuple, sizes of the dimensions that tuples name…)
Status scatter_nd(Buffers buffers, Integers integers);

// (matrices -> determinants; element, number, side), by elimination with row exchanges, in double.
Status det(Buffers buffers, Integers integers);

// (x, boxes, images of the boxes -> result; element, images, channels, height, width, boxes, result height, result width,
// samples per side of a bin (0: as many as the bin has pixels), 1 for the maximum, 1 for half_pixel, bits of the scale).
// The maximum is that of all weighted corners, as ONNX has it.
Status roi_align(Buffers buffers, Integers integers);

}  // namespace hone::library
