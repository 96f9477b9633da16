#include <algorithm>
#include <numeric>
#include <vector>

#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {
namespace {

struct Rows {
  int64_t outer, size, inner, k;
};

// Numbers in their order, behind them NaN.
template <typename T>
bool is_less(T a, T b) {
  auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
  if (y != y) return x == x;
  return x < y;
}

template <typename T, typename Before>
void sort_rows(const T* x, T* values, int64_t* indices, const Rows& rows, Before before) {
  std::vector<int64_t> order(static_cast<size_t>(rows.size));
  for (int64_t row = 0; row < rows.outer * rows.inner; ++row) {
    int64_t block = row / rows.inner, lane = row % rows.inner;
    const T* from = x + block * rows.size * rows.inner + lane;
    int64_t to = block * rows.k * rows.inner + lane;
    std::iota(order.begin(), order.end(), 0);
    auto first = [&](int64_t a, int64_t b) {
      T left = from[a * rows.inner], right = from[b * rows.inner];
      if (before(left, right)) return true;
      return !before(right, left) && a < b;
    };
    std::partial_sort(order.begin(), order.begin() + rows.k, order.end(), first);
    for (int64_t i = 0; i < rows.k; ++i) {
      values[to + i * rows.inner] = from[order[static_cast<size_t>(i)] * rows.inner];
      indices[to + i * rows.inner] = order[static_cast<size_t>(i)];
    }
  }
}

}  // namespace

Status top_k(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("top_k", buffers, 3, integers, 6));
  Rows rows{integers[1], integers[2], integers[3], integers[4]};
  if (rows.k < 0 || rows.k > rows.size) return error("k is {}, but there are {} elements", rows.k, rows.size);
  return with_element(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(buffers[0]);
    T* values = static_cast<T*>(buffers[1]);
    int64_t* indices = static_cast<int64_t*>(buffers[2]);
    if (integers[5] != 0)
      sort_rows(x, values, indices, rows, [](T a, T b) { return is_less(b, a); });
    else
      sort_rows(x, values, indices, rows, [](T a, T b) { return is_less(a, b); });
    return Done{};
  });
}

}  // namespace hone::library
