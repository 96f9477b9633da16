#include "measure/timing.h"

#include <algorithm>
#include <chrono>

namespace hone::measure {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Enough that the timed calls seldom meet the allocator, and never more than a few megabytes.
size_t expected_rounds(const Timing& warm, const TimingOptions& options) {
  double each = std::max(warm.warm_up_seconds / static_cast<double>(warm.warm_up_rounds), 1e-7);
  double rounds = std::min(1.5 * options.seconds / each, 1e6);
  return std::max(options.rounds, static_cast<size_t>(rounds));
}

}  // namespace

Result<Timing> time_calls(const std::function<Status()>& call, const TimingOptions& options) {
  Timing timing;
  Clock::time_point begin = Clock::now();
  do {
    HONE_PASS(call());
    ++timing.warm_up_rounds;
    timing.warm_up_seconds = seconds_between(begin, Clock::now());
  } while (timing.warm_up_seconds < options.warm_up_seconds);

  timing.seconds.reserve(expected_rounds(timing, options));
  begin = Clock::now();
  Clock::time_point last = begin;
  do {
    Clock::time_point start = Clock::now();
    HONE_PASS(call());
    last = Clock::now();
    timing.seconds.push_back(seconds_between(start, last));
  } while (timing.seconds.size() < options.rounds || seconds_between(begin, last) < options.seconds);
  timing.total_seconds = seconds_between(begin, last);
  return timing;
}

}  // namespace hone::measure
