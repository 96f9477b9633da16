#include "measure/summary.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/rng.h"

namespace hone::measure {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> times(static_cast<size_t>(n));
  std::iota(times.begin(), times.end(), 1.0);
  return times;
}

TEST(Summary, OfOneTimeIsThatTime) {
  Summary s = summarize({3.0});
  EXPECT_EQ(s.count, 1u);
  for (double value : {s.median, s.mean, s.min, s.max, s.p90, s.p99, s.median_low, s.median_high})
    EXPECT_EQ(value, 3.0);
}

TEST(Summary, PercentilesLieBetweenNeighbours) {
  Summary s = summarize(one_to(101));
  EXPECT_DOUBLE_EQ(s.median, 51);
  EXPECT_DOUBLE_EQ(s.p90, 91);
  EXPECT_DOUBLE_EQ(s.p99, 100);
  EXPECT_DOUBLE_EQ(summarize({1, 2}).median, 1.5);
}

TEST(Summary, OrderOfTheTimesDoesNotMatter) {
  Summary s = summarize({5, 1, 4, 2, 3});
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 5);
}

// Ranks from the usual tables of the sign test at 95 %.
TEST(Summary, IntervalOfTheMedianHasTheRanksOfTheSignTest) {
  Summary five = summarize(one_to(5));
  EXPECT_EQ(five.median_low, 1);  // five times cannot say more than their range
  EXPECT_EQ(five.median_high, 5);
  Summary ten = summarize(one_to(10));
  EXPECT_EQ(ten.median_low, 2);
  EXPECT_EQ(ten.median_high, 9);
  Summary hundred = summarize(one_to(100));
  EXPECT_EQ(hundred.median_low, 40);
  EXPECT_EQ(hundred.median_high, 61);
  Summary many = summarize(one_to(10000));
  EXPECT_NEAR(many.median_low, 4902, 2);
  EXPECT_NEAR(many.median_high, 5099, 2);
}

TEST(Summary, IntervalHoldsTheTrueMedianAsOftenAsItSays) {
  Rng rng(7);
  int held = 0;
  constexpr int kSeries = 2000;
  for (int k = 0; k < kSeries; ++k) {
    std::vector<double> times(31);
    for (double& time : times) time = rng.unit() * rng.unit();  // skewed, as times are
    Summary s = summarize(times);
    constexpr double kTrueMedian = 0.18668;  // solves m (1 - ln m) = 1/2
    held += s.median_low <= kTrueMedian && kTrueMedian <= s.median_high;
  }
  EXPECT_GT(held, kSeries * 94 / 100);
}

}  // namespace
}  // namespace hone::measure
