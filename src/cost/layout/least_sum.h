// Picks values of variables so that a sum of tables, each over a few of them, is least.
#pragma once

#include <cstddef>
#include <vector>

namespace hone::cost {

struct Table {
  std::vector<int> variables;
  std::vector<double> costs;  // by their values, those of the last variable following each other
};

struct Picked {
  std::vector<int> values;  // by variable
  double cost = 0;
  bool exact = true;  // nothing is less
};

// `sizes`: how many values each variable has. Variables are eliminated one by one, which is exact; where that would take a table of
// more than `most_entries`, one variable is settled by the tables that it stands in alone.
Picked least_sum(const std::vector<int>& sizes, std::vector<Table> tables, size_t most_entries);

}  // namespace hone::cost
