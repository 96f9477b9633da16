// Two tensors that should be equal: how far apart they are, and where.
#pragma once

#include <CLI/CLI.hpp>

#include "eval/tensor.h"

namespace hone::tools {

struct Tolerance {
  double absolute = 1e-4, relative = 1e-3;
};

void add_tolerance_options(CLI::App& verb, Tolerance& tolerance);

struct Difference {
  int64_t elements = 0;
  int64_t outside = 0;  // elements with |got - wanted| > absolute + relative * |wanted|; integers must be equal
  double absolute = 0;  // the largest, at element
  int64_t absolute_at = 0;
  double relative = 0;  // the largest among elements with |wanted| above the absolute tolerance
  int64_t relative_at = 0;
};

// An error if the types or shapes differ. NaN equals NaN, an infinity equals itself.
Result<Difference> compare(const eval::Tensor& got, const eval::Tensor& wanted, const Tolerance& tolerance);

// The coordinates of an element: "[0, 17]".
std::string place_text(const std::vector<int64_t>& shape, int64_t element);

}  // namespace hone::tools
