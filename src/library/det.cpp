#include <cmath>
#include <utility>
#include <vector>

#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {
namespace {

// The row at or below `column` with the largest element there.
size_t pivot_row(const std::vector<double>& m, size_t side, size_t column) {
  size_t best = column;
  for (size_t row = column + 1; row < side; ++row)
    if (std::abs(m[row * side + column]) > std::abs(m[best * side + column])) best = row;
  return best;
}

// Destroys the matrix.
double determinant(std::vector<double>& m, size_t side) {
  double result = 1;
  for (size_t k = 0; k < side; ++k) {
    size_t pivot = pivot_row(m, side, k);
    if (pivot != k) {
      for (size_t j = k; j < side; ++j) std::swap(m[pivot * side + j], m[k * side + j]);
      result = -result;
    }
    double lead = m[k * side + k];
    result *= lead;
    if (lead == 0) return result;
    for (size_t row = k + 1; row < side; ++row) {
      double factor = m[row * side + k] / lead;
      for (size_t j = k + 1; j < side; ++j) m[row * side + j] -= factor * m[k * side + j];
    }
  }
  return result;
}

}  // namespace

Status det(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("det", buffers, 2, integers, 3));
  int64_t count = integers[1];
  size_t side = static_cast<size_t>(integers[2]);
  return with_real(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(buffers[0]);
    T* result = static_cast<T*>(buffers[1]);
    std::vector<double> matrix(side * side);
    for (int64_t i = 0; i < count; ++i) {
      for (double& element : matrix) element = static_cast<double>(static_cast<Computed<T>>(*x++));
      result[i] = static_cast<T>(static_cast<Computed<T>>(determinant(matrix, side)));
    }
    return Done{};
  });
}

}  // namespace hone::library
