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

// (x -> positions, count; element, rank, sizes…): where x is not 0, in row-major order. Positions have room for every
// element of x, and are 0 beyond the count.
Status nonzero(Buffers buffers, Integers integers);

// (x -> values, first places, inverse, numbers of each, count; element, outer, size, inner, sorted): the different slices
// of `size`, in order or as they first appear. Results have room for all, and are 0 beyond the count, but for the
// inverse, which has a place for each slice of x.
Status unique(Buffers buffers, Integers integers);

// (boxes, scores, most of a class, overlap, score -> selected, count; images, classes, boxes, room, 1 for centre and sides,
// 1 if a score is asked for). Triples of image, class and box; 0 beyond the count.
Status non_max_suppression(Buffers buffers, Integers integers);

}  // namespace hone::library
