#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {
namespace {

// A NaN equals a NaN and is larger than every number.
template <typename T>
int order_of(T a, T b) {
  auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
  bool x_is = x == x, y_is = y == y;
  if (!x_is || !y_is) return static_cast<int>(x_is ? -1 : y_is ? 1 : 0);
  return x < y ? -1 : y < x ? 1 : 0;
}

// Slices along the middle of [outer, size, inner].
template <typename T>
struct Slices {
  const T* x;
  int64_t outer, size, inner;

  int order(int64_t a, int64_t b) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i)
        if (int found = order_of(x[(o * size + a) * inner + i], x[(o * size + b) * inner + i])) return found;
    return 0;
  }
};

// The groups of equal slices, each with its members in order; sorted, or by first appearance.
template <typename T>
std::vector<std::vector<int64_t>> groups_of(const Slices<T>& slices, bool sorted) {
  std::vector<int64_t> order(static_cast<size_t>(slices.size));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return slices.order(a, b) < 0; });
  std::vector<std::vector<int64_t>> groups;
  for (int64_t k : order) {
    if (groups.empty() || slices.order(groups.back()[0], k) != 0) groups.emplace_back();
    groups.back().push_back(k);
  }
  if (!sorted) std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  return groups;
}

}  // namespace

Status unique(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("unique", buffers, 6, integers, 5));
  return with_element(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    Slices<T> slices{static_cast<const T*>(buffers[0]), integers[1], integers[2], integers[3]};
    auto* values = static_cast<T*>(buffers[1]);
    auto *first = static_cast<int64_t*>(buffers[2]), *inverse = static_cast<int64_t*>(buffers[3]);
    auto* counts = static_cast<int64_t*>(buffers[4]);
    std::fill_n(first, slices.size, 0);
    std::fill_n(counts, slices.size, 0);
    if (slices.size > 0)
      std::memset(static_cast<void*>(values), 0,
                  static_cast<size_t>(slices.outer * slices.size * slices.inner) * sizeof(T));
    auto groups = groups_of(slices, integers[4] != 0);
    for (size_t g = 0; g < groups.size(); ++g) {
      auto number = static_cast<int64_t>(g);
      first[number] = groups[g][0];
      counts[number] = static_cast<int64_t>(groups[g].size());
      for (int64_t member : groups[g]) inverse[member] = number;
      for (int64_t o = 0; o < slices.outer; ++o)
        for (int64_t i = 0; i < slices.inner; ++i)
          values[(o * slices.size + number) * slices.inner + i] =
              slices.x[(o * slices.size + groups[g][0]) * slices.inner + i];
    }
    *static_cast<int64_t*>(buffers[5]) = static_cast<int64_t>(groups.size());
    return Done{};
  });
}

}  // namespace hone::library
