#include "cost/layout/least_sum.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace hone::cost {
namespace {

class Elimination {
 public:
  Elimination(const std::vector<int>& sizes, std::vector<Table> tables, size_t most_entries)
      : sizes_(sizes), given_(tables), tables_(std::move(tables)), most_entries_(most_entries) {
    picked_.values.assign(sizes.size(), 0);
    for (size_t v = 0; v < sizes.size(); ++v) left_.insert(static_cast<int>(v));
    around_.resize(sizes.size());
    for (const Table& table : tables_) connect(table.variables);
  }

  Picked run() {
    while (!left_.empty()) {
      auto [variable, entries] = cheapest();
      if (entries > most_entries_)
        settle(most_connected());
      else
        eliminate(variable);
    }
    for (size_t k = eliminated_.size(); k-- > 0;) pick(eliminated_[k]);
    if (!picked_.exact) improve();
    picked_.cost = total(given_);
    return std::move(picked_);
  }

 private:
  struct Eliminated {
    int variable;
    std::vector<Table> tables;  // all that it stood in
  };

  static bool contains(const Table& table, int variable) {
    return std::find(table.variables.begin(), table.variables.end(), variable) != table.variables.end();
  }

  const std::set<int>& neighbours(int variable) const { return around_[static_cast<size_t>(variable)]; }

  void connect(const std::vector<int>& variables) {
    for (int one : variables)
      for (int other : variables)
        if (one != other) around_[static_cast<size_t>(one)].insert(other);
  }

  size_t entries_of(const std::set<int>& variables) const {
    size_t entries = 1;
    for (int variable : variables) {
      if (entries > most_entries_) break;
      entries *= static_cast<size_t>(sizes_[static_cast<size_t>(variable)]);
    }
    return entries;
  }

  std::pair<int, size_t> cheapest() const {
    std::optional<std::pair<int, size_t>> best;
    for (int variable : left_) {
      const size_t entries = entries_of(neighbours(variable));
      if (!best || entries < best->second) best = {variable, entries};
    }
    return *best;
  }

  int most_connected() const {
    return *std::max_element(left_.begin(), left_.end(),
                             [&](int a, int b) { return neighbours(a).size() < neighbours(b).size(); });
  }

  double cost_of(const Table& table) const {
    size_t at = 0;
    for (int variable : table.variables)
      at = at * static_cast<size_t>(sizes_[static_cast<size_t>(variable)]) +
           static_cast<size_t>(picked_.values[static_cast<size_t>(variable)]);
    return table.costs[at];
  }

  double total(const std::vector<Table>& tables) const {
    double cost = 0;
    for (const Table& table : tables) cost += cost_of(table);
    return cost;
  }

  // Sets picked_.values of the variables to each of their combinations in turn.
  template <typename Visit>
  void for_each_value(const std::vector<int>& variables, Visit visit) {
    for (int variable : variables) picked_.values[static_cast<size_t>(variable)] = 0;
    for (;;) {
      visit();
      size_t k = variables.size();
      while (k > 0) {
        int& value = picked_.values[static_cast<size_t>(variables[k - 1])];
        if (++value < sizes_[static_cast<size_t>(variables[k - 1])]) break;
        value = 0;
        --k;
      }
      if (k == 0) return;
    }
  }

  // The first value with the least sum, which is given.
  double pick_value(int variable, const std::vector<Table>& tables) {
    double least = INFINITY;
    int best = 0;
    for_each_value({variable}, [&] {
      const double cost = total(tables);
      if (cost < least) least = cost, best = picked_.values[static_cast<size_t>(variable)];
    });
    picked_.values[static_cast<size_t>(variable)] = best;
    return least;
  }

  std::vector<Table> take_tables_of(int variable) {
    std::vector<Table> taken;
    std::erase_if(tables_, [&](Table& table) {
      if (!contains(table, variable)) return false;
      taken.push_back(std::move(table));
      return true;
    });
    left_.erase(variable);
    for (int other : neighbours(variable)) around_[static_cast<size_t>(other)].erase(variable);
    return taken;
  }

  void eliminate(int variable) {
    Table rest{{neighbours(variable).begin(), neighbours(variable).end()}, {}};
    Eliminated gone{variable, take_tables_of(variable)};
    connect(rest.variables);
    for_each_value(rest.variables, [&] { rest.costs.push_back(pick_value(variable, gone.tables)); });
    tables_.push_back(std::move(rest));
    eliminated_.push_back(std::move(gone));
  }

  void pick(const Eliminated& gone) { pick_value(gone.variable, gone.tables); }

  // Takes the value that costs least if each table around it could do as it likes.
  void settle(int variable) {
    picked_.exact = false;
    std::vector<Table> taken = take_tables_of(variable);
    const int values = sizes_[static_cast<size_t>(variable)];
    std::vector<double> least(static_cast<size_t>(values), 0);
    for (const Table& table : taken) {
      std::vector<double> lowest(static_cast<size_t>(values), INFINITY);
      for_each_value(table.variables, [&] {
        double& low = lowest[static_cast<size_t>(picked_.values[static_cast<size_t>(variable)])];
        low = std::min(low, cost_of(table));
      });
      for (size_t v = 0; v < lowest.size(); ++v) least[v] += lowest[v];
    }
    const auto value = static_cast<int>(std::min_element(least.begin(), least.end()) - least.begin());
    for (const Table& table : taken) tables_.push_back(with_value(table, variable, value));
    picked_.values[static_cast<size_t>(variable)] = value;
  }

  Table with_value(const Table& table, int variable, int value) {
    Table rest;
    for (int other : table.variables)
      if (other != variable) rest.variables.push_back(other);
    for_each_value(rest.variables, [&] {
      picked_.values[static_cast<size_t>(variable)] = value;
      rest.costs.push_back(cost_of(table));
    });
    return rest;
  }

  // Changes single variables as long as that helps.
  void improve() {
    for (bool better = true; better;) {
      better = false;
      for (size_t v = 0; v < sizes_.size(); ++v) {
        std::vector<Table> around;
        for (const Table& table : given_)
          if (contains(table, static_cast<int>(v))) around.push_back(table);
        const int before = picked_.values[v];
        const double cost = total(around);
        if (pick_value(static_cast<int>(v), around) < cost)
          better = true;
        else
          picked_.values[v] = before;
      }
    }
  }

  const std::vector<int>& sizes_;
  const std::vector<Table> given_;
  std::vector<Table> tables_;
  size_t most_entries_;
  std::set<int> left_;
  std::vector<std::set<int>> around_;  // by variable: those that share a table with it
  std::vector<Eliminated> eliminated_;
  Picked picked_;
};

}  // namespace

Picked least_sum(const std::vector<int>& sizes, std::vector<Table> tables, size_t most_entries) {
  return Elimination(sizes, std::move(tables), most_entries).run();
}

}  // namespace hone::cost
