// Rounds of a loop that is timed: long enough for the clock, the fastest counts.
#pragma once

#include <cstdint>
#include <functional>

namespace hone::measure {

// Runs `work(thread)` on all threads at once, round by round; the seconds of the fastest round, from the common start
// to the end of the last thread.
double fastest_round(int threads, const std::function<void(int)>& work);

// How often `work` fits into a round, at least once.
int64_t repeats_for(const std::function<void()>& work);

}  // namespace hone::measure
