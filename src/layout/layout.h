// Layout: where the elements of a tensor lie in memory. A bijection plus padding, never a computation.
//
// A layout is a list of parts from outermost to innermost. Part {dim, divide, modulo} runs over the values of
// (index[dim] / divide) % modulo (modulo 0: no remainder is taken). Storage is dense in the order of the parts; a blocked
// dimension whose extent is no multiple of its block is padded up, and the padded lanes hold zeros.
//
//   layout := part part …  | 'scalar'          (scalar: no dimension, one element)
//   part   := 'd' number ('/' divide)? ('%' modulo)?
//
// so `d1/16 d0 d1%16` has columns in panels of 16, and `d1/16%4` is the middle of two blockings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::layout {

struct Part {
  int dim = 0;
  int64_t divide = 1;
  int64_t modulo = 0;
  bool operator==(const Part&) const = default;
};

struct Layout {
  std::vector<Part> parts;
  bool operator==(const Layout&) const = default;
};

Layout row_major(int rank);
Layout permuted(const std::vector<int>& order);  // order[k] = the dimension that stands k-th
// The layout with dimension `dim` split by `block`, the inner part moved innermost. A dimension that is split already
// has its outermost part split again. A block of 1 changes nothing.
Layout blocked(Layout layout, int dim, int64_t block);

// What the extent of the dimension is padded up to a multiple of: the divisor of its outermost part.
int64_t block_of(const Layout& layout, int dim);

std::vector<int64_t> part_sizes(const Layout& layout, const std::vector<int64_t>& shape);
int64_t element_count(const Layout& layout, const std::vector<int64_t>& shape);  // with padding
int64_t offset_of(const Layout& layout, const std::vector<int64_t>& shape, const std::vector<int64_t>& index);

// Copies a row-major tensor into the layout; padding becomes zero. `to` holds element_count elements.
void pack(const Layout& layout, const std::vector<int64_t>& shape, size_t element_size, const void* from, void* to);

std::string text_of(const Layout& layout);
Result<Layout> parse_layout(std::string_view text);
// Every dimension of `rank` is covered exactly once.
Status validate(const Layout& layout, int rank);

}  // namespace hone::layout
