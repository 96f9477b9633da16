// Waiting without sleeping: for what another thread does within microseconds.
#pragma once

#include <sched.h>

#include <cstdint>

namespace hone::runtime {

inline void pause_once() {
  __builtin_ia32_pause();
}

// Spins until done() holds. Gives the processor away now and then, lest it wait for a thread that has none.
template <typename Predicate>
void spin_until(Predicate done) {
  constexpr int spins_before_yield = 256;
  for (int spins = 0; !done(); ++spins) {
    pause_once();
    if (spins == spins_before_yield) {
      sched_yield();
      spins = spins_before_yield / 2;
    }
  }
}

}  // namespace hone::runtime
