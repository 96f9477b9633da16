// The equation of an Einsum: "ij,jk->ik", with letters for dimensions and "..." for those that broadcast.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hone::import {

// A label is a letter, or -1, -2, … for the dimensions of an ellipsis, counted from the last.
struct EinsumTerms {
  std::vector<std::vector<int>> operands;  // the label of each dimension
  std::vector<int> result;
};

// Ranks are those of the operands. Without "->" the result has the ellipsis and the letters that stand once, in order.
Result<EinsumTerms> parse_einsum(const std::string& equation, const std::vector<size_t>& ranks);

}  // namespace hone::import
