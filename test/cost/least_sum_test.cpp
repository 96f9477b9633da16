// Elimination against trying everything.
#include "cost/layout/least_sum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace hone::cost {
namespace {

struct Sum {
  std::vector<int> sizes;
  std::vector<Table> tables;
};

Sum random_sum(uint64_t seed, int64_t most_variables) {
  Rng rng(seed);
  Sum sum;
  const int64_t variables = rng.between(1, most_variables);
  for (int64_t v = 0; v < variables; ++v) sum.sizes.push_back(static_cast<int>(rng.between(1, 3)));
  const int64_t tables = rng.between(0, 2 * variables);
  for (int64_t t = 0; t < tables; ++t) {
    Table table;
    size_t entries = 1;
    for (int64_t v = 0; v < variables; ++v)
      if (table.variables.size() < 3 && rng.below(3) == 0) {
        table.variables.push_back(static_cast<int>(v));
        entries *= static_cast<size_t>(sum.sizes[static_cast<size_t>(v)]);
      }
    for (size_t k = 0; k < entries; ++k) table.costs.push_back(static_cast<double>(rng.below(100)));
    sum.tables.push_back(std::move(table));
  }
  return sum;
}

double cost_of(const Sum& sum, const std::vector<int>& values) {
  double cost = 0;
  for (const Table& table : sum.tables) {
    size_t at = 0;
    for (int v : table.variables)
      at = at * static_cast<size_t>(sum.sizes[static_cast<size_t>(v)]) +
           static_cast<size_t>(values[static_cast<size_t>(v)]);
    cost += table.costs[at];
  }
  return cost;
}

double least_of_all(const Sum& sum, std::vector<int>& values, size_t from = 0) {
  if (from == sum.sizes.size()) return cost_of(sum, values);
  double least = INFINITY;
  for (values[from] = 0; values[from] < sum.sizes[from]; ++values[from])
    least = std::min(least, least_of_all(sum, values, from + 1));
  return least;
}

TEST(LeastSum, IsWhatTryingEverythingFinds) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Sum sum = random_sum(seed, 8);
    std::vector<int> values(sum.sizes.size());
    const Picked picked = least_sum(sum.sizes, sum.tables, 1 << 12);
    EXPECT_TRUE(picked.exact);
    EXPECT_EQ(picked.cost, least_of_all(sum, values)) << "seed " << seed;
    EXPECT_EQ(picked.cost, cost_of(sum, picked.values)) << "seed " << seed;
  }
}

// With little room the sum is what the values give, no single change helps, and `exact` is only said where it is true.
TEST(LeastSum, WithLittleRoomNoSingleChangeHelps) {
  int inexact = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Sum sum = random_sum(seed, 8);
    const Picked picked = least_sum(sum.sizes, sum.tables, 4);
    EXPECT_EQ(picked.cost, cost_of(sum, picked.values)) << "seed " << seed;
    std::vector<int> values(sum.sizes.size());
    if (picked.exact) {
      EXPECT_EQ(picked.cost, least_of_all(sum, values)) << "seed " << seed;
    }
    inexact += !picked.exact;
    values = picked.values;
    for (size_t v = 0; v < values.size(); ++v)
      for (int other = 0; other < sum.sizes[v]; ++other) {
        values[v] = other;
        EXPECT_GE(cost_of(sum, values), picked.cost) << "seed " << seed;
        values[v] = picked.values[v];
      }
  }
  EXPECT_GT(inexact, 0);
}

TEST(LeastSum, AChainOfThousandsIsExactAndSoon) {
  Sum sum;
  for (int v = 0; v < 3000; ++v) {
    sum.sizes.push_back(2);
    if (v > 0) sum.tables.push_back({{v - 1, v}, {0, 1, 1, 0}});  // neighbours like to be alike
  }
  sum.tables.push_back({{0}, {1, 0}});
  sum.tables.push_back({{2999}, {0, 1.5}});
  const Picked picked = least_sum(sum.sizes, sum.tables, 1 << 10);
  EXPECT_TRUE(picked.exact);
  EXPECT_EQ(picked.cost, 1);
}

}  // namespace
}  // namespace hone::cost
