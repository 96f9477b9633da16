// The steady clock, in nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace hone::runtime {

inline int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace hone::runtime
