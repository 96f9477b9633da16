#include <cstring>
#include <vector>

#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {
namespace {

enum class Reduction : int64_t { None, Add, Mul, Max, Min };

template <typename T>
T add(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (is_real<T>)
    return static_cast<T>(static_cast<Computed<T>>(a) + static_cast<Computed<T>>(b));
  else
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

template <typename T>
T multiply(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (is_real<T>)
    return static_cast<T>(static_cast<Computed<T>>(a) * static_cast<Computed<T>>(b));
  else
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// The larger, or the smaller; NaN if either is.
template <typename T>
T select(T a, T b, bool larger) {
  auto x = static_cast<Computed<T>>(a), y = static_cast<Computed<T>>(b);
  if (x != x) return a;
  if (y != y) return b;
  return (larger ? x < y : y < x) ? b : a;
}

template <typename T>
void put(T& to, T value, Reduction reduction) {
  switch (reduction) {
    case Reduction::None:
      to = value;
      break;
    case Reduction::Add:
      to = add(to, value);
      break;
    case Reduction::Mul:
      to = multiply(to, value);
      break;
    case Reduction::Max:
    case Reduction::Min:
      to = select(to, value, reduction == Reduction::Max);
      break;
  }
}

int64_t read_index(const void* indices, int64_t element, int64_t at) {
  return static_cast<Element>(element) == Element::I32 ? static_cast<const int32_t*>(indices)[at]
                                                       : static_cast<const int64_t*>(indices)[at];
}

int64_t product(Integers sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

template <typename T>
void copy_data(const void* from, void* to, int64_t count) {
  if (count > 0 && from != to) std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
}

// Goes to the next point of a shape, the last dimension running fastest.
void advance(std::vector<int64_t>& point, Integers sizes) {
  for (size_t d = sizes.size(); d-- > 0;) {
    if (++point[d] < sizes[d]) return;
    point[d] = 0;
  }
}

}  // namespace

Status scatter_elements(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("scatter_elements", buffers, 4, integers, 5));
  Reduction reduction{integers[2]};
  size_t axis = static_cast<size_t>(integers[3]), rank = static_cast<size_t>(integers[4]);
  HONE_PASS(check_call("scatter_elements", buffers, 4, integers, 5 + 2 * rank));
  Integers data = integers.subspan(5, rank), indices = integers.subspan(5 + rank, rank);
  int64_t updates = product(indices);
  for (size_t d = 0; d < rank && updates > 0; ++d)
    if (d != axis && indices[d] > data[d])
      return error("indices of size {} reach past a dimension of {}", indices[d], data[d]);
  return with_element(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    T* result = static_cast<T*>(buffers[3]);
    copy_data<T>(buffers[0], result, product(data));
    std::vector<int64_t> point(rank, 0);
    for (int64_t i = 0; i < updates; ++i) {
      HONE_TRY(int64_t index, checked_index(read_index(buffers[1], integers[1], i), data[axis]));
      int64_t at = 0;
      for (size_t d = 0; d < rank; ++d) at = at * data[d] + (d == axis ? index : point[d]);
      put(result[at], static_cast<const T*>(buffers[2])[i], reduction);
      advance(point, indices);
    }
    return Done{};
  });
}

Status scatter_nd(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("scatter_nd", buffers, 4, integers, 6));
  Reduction reduction{integers[2]};
  int64_t tuples = integers[3], block = integers[4], depth = integers[5];
  HONE_PASS(check_call("scatter_nd", buffers, 4, integers, 6 + static_cast<size_t>(depth)));
  Integers sizes = integers.subspan(6, static_cast<size_t>(depth));
  return with_element(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    T* result = static_cast<T*>(buffers[3]);
    const T* updates = static_cast<const T*>(buffers[2]);
    copy_data<T>(buffers[0], result, product(sizes) * block);
    for (int64_t i = 0; i < tuples; ++i) {
      int64_t at = 0;
      for (int64_t k = 0; k < depth; ++k) {
        int64_t size = sizes[static_cast<size_t>(k)];
        HONE_TRY(int64_t index, checked_index(read_index(buffers[1], integers[1], i * depth + k), size));
        at = at * size + index;
      }
      for (int64_t j = 0; j < block; ++j) put(result[at * block + j], updates[i * block + j], reduction);
    }
    return Done{};
  });
}

}  // namespace hone::library
