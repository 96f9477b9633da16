// Spin barrier for the workers of one run.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/threads/pause.h"

namespace hone::runtime {

inline constexpr size_t cache_line = 64;

class Barrier {
 public:
  explicit Barrier(int workers) : workers_(workers) {}

  // Returns when all workers have called it; what each wrote before is then seen by all.
  void wait() {
    // The phase cannot change before this worker has arrived.
    uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
    } else {
      spin_until([&] { return phase_.load(std::memory_order_acquire) != phase; });
    }
  }

 private:
  alignas(cache_line) std::atomic<int> arrived_ = 0;
  alignas(cache_line) std::atomic<uint32_t> phase_ = 0;
  alignas(cache_line) const int workers_;
};

}  // namespace hone::runtime
