#include "runtime/plan/memory_plan.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace hone::runtime {
namespace {

bool takes_place(const Lifetime& life) {
  return life.bytes > 0 && life.first <= life.last;
}

bool overlap(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

void expect_sound(const std::vector<Lifetime>& lives, const Placement& placement) {
  for (size_t i = 0; i < lives.size(); ++i) {
    if (!takes_place(lives[i])) continue;
    EXPECT_EQ(placement.offsets[i] % arena_alignment, 0);
    EXPECT_LE(placement.offsets[i] + lives[i].bytes, placement.bytes);
    for (size_t j = 0; j < i; ++j) {
      if (!takes_place(lives[j]) || !overlap(lives[i], lives[j])) continue;
      bool apart = placement.offsets[i] + lives[i].bytes <= placement.offsets[j] ||
                   placement.offsets[j] + lives[j].bytes <= placement.offsets[i];
      EXPECT_TRUE(apart) << "buffers " << i << " and " << j;
    }
  }
}

TEST(MemoryPlan, AChainNeedsTwoBuffers) {
  std::vector<Lifetime> lives;
  for (int64_t i = 0; i < 10; ++i) lives.push_back({1000, i, i + 1});
  Placement placement = place(lives).value();
  expect_sound(lives, placement);
  EXPECT_EQ(placement.bytes, 2 * 1024);
}

TEST(MemoryPlan, EmptyAndUnusedBuffersTakeNoPlace) {
  Placement placement = place({{0, 0, 5}, {100, 3, 2}, {64, 1, 1}}).value();
  EXPECT_EQ(placement.bytes, 64);
}

TEST(MemoryPlan, RandomLifetimesNeverOverlap) {
  double worst = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    std::vector<Lifetime> lives;
    for (int64_t count = rng.between(1, 60); count > 0; --count) {
      int64_t first = rng.between(0, 40);
      int64_t bytes = rng.chance(0.1) ? 0 : rng.between(1, int64_t{1} << rng.between(1, 16));
      lives.push_back({bytes, first, first + rng.between(-1, rng.chance(0.2) ? 40 : 4)});
    }
    Placement placement = place(lives).value();
    expect_sound(lives, placement);
    EXPECT_EQ(placement.offsets, place(lives).value().offsets);
    int64_t least = most_alive(lives);
    EXPECT_GE(placement.bytes, least);
    if (least > 0) worst = std::max(worst, static_cast<double>(placement.bytes) / static_cast<double>(least));
  }
  std::printf("worst arena over the lower bound: %.3f\n", worst);
  EXPECT_LT(worst, 1.6);
}

TEST(MemoryPlan, SizesBeyondCountingAreErrors) {
  EXPECT_FALSE(place({{INT64_MAX - 10, 0, 1}, {INT64_MAX - 10, 0, 1}}).ok());
  EXPECT_FALSE(place({{-1, 0, 1}}).ok());
}

}  // namespace
}  // namespace hone::runtime
