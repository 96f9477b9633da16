// Each cause alone gives its sentence; of several, the two that explain most.
#include "hone/sentences.h"

#include <gtest/gtest.h>

#include "hone/profile.h"

namespace hone::tools {
namespace {

class Sentences : public testing::Test {
 protected:
  Sentences() {
    limits_.threads = 1;
    limits_.peak_gflops = 100;
    limits_.levels = {{"L2", 1 << 19, 100, 100}, {"DRAM", INT64_MAX, 20, 15}};
    target_.vector_bits = 256;
    facts_.contraction = true;
    facts_.lanes = 8;
    facts_.vector_points = facts_.vector_room = 64;
    facts_.chains = 12;
    facts_.loads = 2;
    facts_.points = 1e8;
    facts_.tasks = 4;
    step_.seconds = 4e-3;
    step_.flops = 200'000'000;  // 2 ms at the peak
    step_.bytes = 1'000'000;    // 10 us from L2
  }

  std::string why(size_t level = 0) const {
    return why_slow(step_, &facts_, {limits_, limits_.levels[level], target_, [](const std::string&) { return 14.0; }});
  }

  measure::MachineLimits limits_;
  target::Target target_;
  cost::Facts facts_;
  runtime::StepTime step_;
};

TEST_F(Sentences, WhatNothingExplains) {
  EXPECT_EQ(why(), "no cause is known");
}

TEST_F(Sentences, WithoutAPlan) {
  EXPECT_EQ(why_slow(step_, nullptr, {limits_, limits_.levels[0], target_, {}}),
            "no plan is known: a library function, or a model that was not compiled here");
}

TEST_F(Sentences, PartVectors) {
  facts_.vector_points = 50, facts_.vector_room = 56;
  EXPECT_EQ(why(), "part vectors: 50 of 56 lanes used");
}

TEST_F(Sentences, ScalarCode) {
  facts_.lanes = 1;
  EXPECT_EQ(why(), "scalar code: vectors would lie along no axis");
}

TEST_F(Sentences, TurnedLoads) {
  facts_.turned_loads = 1;
  EXPECT_EQ(why(), "turned in registers: 1 of 2 loads of a point, 3 shuffles for a vector");
}

TEST_F(Sentences, WhatTheModelExpects) {
  cost::Considered expected;  // cycles, of 3.125 in a nanosecond
  expected.products = 7.5e6, expected.l2 = 1e5, expected.l3 = 3.125e6, expected.memory = 1e5;
  facts_.expected = expected;
  EXPECT_EQ(
      why(),
      "operands that come again: the cost model expects 32.000 us of waiting for L2, 1.000 ms for L3, 32.000 us for "
      "memory; register tiles: starts, ends and tails make 2.000 ms of products 2.400 ms");
}

TEST_F(Sentences, StridedLoads) {
  facts_.strided_loads = 1;
  EXPECT_EQ(why(), "strided loads: 1 of 2 loads of a point gathered lane by lane");
}

TEST_F(Sentences, Functions) {
  facts_.functions = {{"exp", 2e7}, {"tanh", 10}};
  EXPECT_EQ(why(), "exp-bound: 20000000 of them, about 14 cycles for 8");
}

TEST_F(Sentences, Latency) {
  facts_.chains = 4;
  EXPECT_EQ(why(), "latency: 4 sums at a time where 8 would hide how long one takes");
}

TEST_F(Sentences, Recurrence) {
  facts_.recurrent_steps = 128;
  EXPECT_EQ(why(), "a recurrence: 128 steps that wait for each other");
}

TEST_F(Sentences, TooShort) {
  step_.flops = 10'000, step_.bytes = 0, step_.seconds = 4e-7;
  EXPECT_EQ(why(), "too short: 0.100 us of work beside about 0.100 us to start");
  limits_.threads = 2;
  EXPECT_EQ(why(), "too short: 0.100 us of work beside about 0.500 us to start and meet the other threads");
}

TEST_F(Sentences, Tasks) {
  limits_.threads = 2;
  facts_.tasks = 1;
  EXPECT_EQ(why(), "one task for 2 threads");
  facts_.tasks = 3;
  EXPECT_EQ(why(), "3 tasks do not share out among 2 threads");
}

TEST_F(Sentences, Memory) {
  step_.bytes = 100'000'000;
  EXPECT_EQ(why(0), "computing and moving 95.4 MiB from L2 do not overlap: 2.000 ms and 1.000 ms");
  step_.flops = 0;
  EXPECT_EQ(why(1), "writes: DRAM copies 15 GB/s where it reads 20");
}

TEST_F(Sentences, Loads) {
  facts_.loads_of_a_sum = 1.5;
  EXPECT_EQ(why(), "loads: 1.5 vectors for each multiply-add");
}

TEST_F(Sentences, OperationsThatAreNoMultiplyAdds) {
  facts_.contraction = false;
  EXPECT_EQ(why(), "single operations: the peak counts each multiply-add as two");
}

TEST_F(Sentences, OfSeveralTheTwoThatExplainMost) {
  facts_.vector_points = 50, facts_.vector_room = 56;
  facts_.chains = 4;
  facts_.functions = {{"exp", 2e7}};
  EXPECT_EQ(
      why(),
      "exp-bound: 20000000 of them, about 14 cycles for 8; latency: 4 sums at a time where 8 would hide how long one "
      "takes");
}

TEST(ProfileSum, SaysWhatTheRestIs) {
  EXPECT_EQ(
      sum_text(1e-3, 1.5e-3),
      "a run takes 1.500 ms: the rest, 500.000 us, is checking inputs, waking threads and going from step to step\n");
  EXPECT_EQ(sum_text(1e-3, 0.9e-3),
            "a run takes 900.000 us: without clocks between the steps they take 100.000 us less\n");
}

TEST(ProfileReasons, KernelsAlikeAreOneLine) {
  Profile profile;
  for (double seconds : {1e-3, 3e-3}) {
    ProfileRow row;
    row.step.function = "conv";
    row.step.seconds = seconds;
    row.of_roofline = 0.5;
    row.why = "one task for 2 threads";
    profile.rows.push_back(row);
  }
  EXPECT_EQ(reasons_text(profile),
            "\nbelow 70 % of the roofline:\n"
            "kernel  calls      ms  of roofline  why\n"
            "conv        2  4.0000         50 %  one task for 2 threads\n");
}

}  // namespace
}  // namespace hone::tools
