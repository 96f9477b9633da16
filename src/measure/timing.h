// Times calls one by one: warm up, then rounds until both the wanted number and the wanted time are reached.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"

namespace hone::measure {

struct TimingOptions {
  double warm_up_seconds = 0.2;  // caches, branch predictors and clock rates settle; at least one call is made
  double seconds = 3;
  size_t rounds = 10;  // at least
};

struct Timing {
  size_t warm_up_rounds = 0;
  double warm_up_seconds = 0;
  std::vector<double> seconds;  // of each timed call, in order
  double total_seconds = 0;
};

// Ends with the first error of a call.
Result<Timing> time_calls(const std::function<Status()>& call, const TimingOptions& options);

}  // namespace hone::measure
