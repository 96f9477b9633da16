#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {

Status nonzero(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("nonzero", buffers, 3, integers, 2));
  Integers sizes = integers.subspan(2);
  int64_t total = 1;
  for (int64_t size : sizes) total *= size;
  auto* positions = static_cast<int64_t*>(buffers[1]);
  return with_element(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    const auto* x = static_cast<const T*>(buffers[0]);
    int64_t found = 0;
    for (int64_t k = 0; k < total; ++k) {
      if (static_cast<Computed<T>>(x[k]) == Computed<T>{}) continue;
      int64_t rest = k;
      for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
        positions[static_cast<int64_t>(d) * total + found] = rest % sizes[d];
      ++found;
    }
    // What nobody reads is 0, so that equal inputs give equal bytes.
    for (size_t d = 0; d < sizes.size(); ++d)
      for (int64_t k = found; k < total; ++k) positions[static_cast<int64_t>(d) * total + k] = 0;
    *static_cast<int64_t*>(buffers[2]) = found;
    return Done{};
  });
}

}  // namespace hone::library
