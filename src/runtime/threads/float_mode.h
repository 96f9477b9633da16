// Float mode: kernels compute with rounding to nearest, all exceptions masked and denormals kept, whatever the
// application has set for its own arithmetic.
#pragma once

#include <xmmintrin.h>

namespace hone::runtime {

inline constexpr unsigned default_float_mode = 0x1f80;

// For the calling thread, while it lives.
class DefaultFloatMode {
 public:
  DefaultFloatMode() : before_(_mm_getcsr()) {
    if (before_ != default_float_mode) _mm_setcsr(default_float_mode);
  }
  ~DefaultFloatMode() { _mm_setcsr(before_); }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  const unsigned before_;
};

}  // namespace hone::runtime
