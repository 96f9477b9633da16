#include "measure/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/result.h"

namespace hone::measure {
namespace {

// How many times may be left out at either end, so that the rest holds the median with 95 %: the number of times below
// the true median is binomial with probability 1/2.
size_t outside_of_interval(size_t count) {
  constexpr double kTail = 0.025;
  constexpr size_t kExact =
      1000;  // beyond, 0.5^count is too small a number, and the normal distribution is near enough
  auto n = static_cast<double>(count);
  if (count > kExact) return static_cast<size_t>(n / 2 - 1.96 * std::sqrt(n) / 2);
  double chance = std::pow(0.5, n), sum = 0;
  size_t outside = 0;
  for (; outside < count; ++outside) {
    sum += chance;
    if (sum > kTail) break;
    chance *= static_cast<double>(count - outside) / static_cast<double>(outside + 1);
  }
  return outside;
}

}  // namespace

double percentile(const std::vector<double>& sorted, double fraction) {
  HONE_CHECK(!sorted.empty() && fraction >= 0 && fraction <= 1, "{} of {} times", fraction, sorted.size());
  double place = fraction * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(place);
  if (below + 1 == sorted.size()) return sorted.back();
  double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

Summary summarize(std::vector<double> times) {
  HONE_CHECK(!times.empty(), "no times to summarize");
  std::sort(times.begin(), times.end());
  Summary summary;
  summary.count = times.size();
  summary.median = percentile(times, 0.5);
  summary.mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  summary.min = times.front();
  summary.max = times.back();
  summary.p90 = percentile(times, 0.90);
  summary.p95 = percentile(times, 0.95);
  summary.p99 = percentile(times, 0.99);
  size_t outside = outside_of_interval(times.size());
  // Leaving out `outside` at either end: the interval begins at the last one left out.
  size_t low = outside == 0 ? 0 : outside - 1;
  summary.median_low = times[low];
  summary.median_high = times[times.size() - 1 - low];
  return summary;
}

}  // namespace hone::measure
