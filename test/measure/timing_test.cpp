#include "measure/timing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace hone::measure {
namespace {

TEST(Timing, MakesTheWantedRounds) {
  int calls = 0;
  auto call = [&]() -> Status {
    ++calls;
    return Done{};
  };
  auto timing = time_calls(call, {.warm_up_seconds = 0, .seconds = 0, .rounds = 17});
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->warm_up_rounds, 1u);
  EXPECT_EQ(timing->seconds.size(), 17u);
  EXPECT_EQ(calls, 18);
}

TEST(Timing, GoesOnForTheWantedTime) {
  auto call = []() -> Status {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Done{};
  };
  auto timing = time_calls(call, {.warm_up_seconds = 0.01, .seconds = 0.03, .rounds = 1});
  ASSERT_TRUE(timing.ok());
  EXPECT_GE(timing->total_seconds, 0.03);
  EXPECT_GE(timing->warm_up_seconds, 0.01);
  for (double seconds : timing->seconds) EXPECT_GE(seconds, 0.001);
}

TEST(Timing, EndsWithTheFirstError) {
  int calls = 0;
  auto call = [&]() -> Status {
    if (++calls == 5) return error("the fifth call fails");
    return Done{};
  };
  auto timing = time_calls(call, {.warm_up_seconds = 0, .seconds = 10, .rounds = 100});
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(timing.problem().message, "the fifth call fails");
  EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace hone::measure
