// What a series of times says. The median is the figure to compare by; its interval tells whether a comparison means
// anything.
#pragma once

#include <cstddef>
#include <vector>

namespace hone::measure {

struct Summary {
  size_t count = 0;
  double median = 0, mean = 0, min = 0, max = 0;
  double p90 = 0, p95 = 0, p99 = 0;
  // Holds the true median with a probability of at least 95 %, whatever the distribution; all of the range where there
  // are too few times to say more.
  double median_low = 0, median_high = 0;
};

// Of at least one time.
Summary summarize(std::vector<double> times);

// Between neighbours in proportion, as numpy does; `sorted` has at least one element and `fraction` lies in [0, 1].
double percentile(const std::vector<double>& sorted, double fraction);

}  // namespace hone::measure
