#include "partition/ownership.h"

#include <algorithm>
#include <set>

namespace hone::partition {

Ownership::Ownership(const Flow& flow)
    : flow_(flow), owners_(flow.program.ops.size(), -1), successors_(flow.program.ops.size()) {
  for (size_t i = 0; i < successors_.size(); ++i)
    for (ir::ValueId id : flow.program.ops[i].outputs)
      if (id != ir::kAbsent)
        for (int reader : flow.readers(id)) successors_[i].push_back(reader);
}

int Ownership::add_cluster() {
  members_.emplace_back();
  return static_cast<int>(members_.size()) - 1;
}

void Ownership::join(int cluster, int op) {
  HONE_CHECK(owner(op) == -1, "op {} joins a second cluster", op);
  owners_[static_cast<size_t>(op)] = cluster;
  std::vector<int>& members = members_[static_cast<size_t>(cluster)];
  members.insert(std::upper_bound(members.begin(), members.end(), op), op);
}

void Ownership::leave(int op) {
  std::vector<int>& members = members_[static_cast<size_t>(owner(op))];
  members.erase(std::find(members.begin(), members.end(), op));
  owners_[static_cast<size_t>(op)] = -1;
}

bool Ownership::closes_cycle(int cluster, int op) const {
  auto inside = [&](int other) { return other == op || owner(other) == cluster; };
  std::vector<bool> seen(owners_.size(), false);
  std::vector<int> waiting;
  auto reach = [&](int from) {
    for (int next : successors_[static_cast<size_t>(from)])
      if (!inside(next) && !seen[static_cast<size_t>(next)]) {
        seen[static_cast<size_t>(next)] = true;
        waiting.push_back(next);
      }
  };
  for (int member : members_[static_cast<size_t>(cluster)]) reach(member);
  reach(op);
  while (!waiting.empty()) {
    int current = waiting.back();
    waiting.pop_back();
    std::vector<int> together = {current};
    if (owner(current) >= 0) together = members_[static_cast<size_t>(owner(current))];
    for (int one : together) {
      seen[static_cast<size_t>(one)] = true;
      const std::vector<int>& next = successors_[static_cast<size_t>(one)];
      if (std::any_of(next.begin(), next.end(), inside)) return true;
      reach(one);
    }
  }
  return false;
}

std::vector<int> Ownership::order() const {
  size_t ops = owners_.size();
  auto unit_of = [&](int op) { return owner(op) >= 0 ? owner(op) : -1 - op; };
  std::map<int, std::set<int>> after;  // unit → units that wait for it
  std::map<int, int> open;             // unit → how many it waits for
  std::map<int, int> rank;             // unit → its smallest op
  for (size_t i = ops; i-- > 0;) {
    int unit = unit_of(static_cast<int>(i));
    rank[unit] = static_cast<int>(i);
    open.try_emplace(unit, 0);
    for (int next : successors_[i])
      if (unit_of(next) != unit) after[unit].insert(unit_of(next));
  }
  for (const auto& [unit, waiting] : after)
    for (int next : waiting) ++open[next];
  std::set<std::pair<int, int>> ready;  // by rank
  for (const auto& [unit, count] : open)
    if (count == 0) ready.insert({rank[unit], unit});
  std::vector<int> result;
  while (!ready.empty()) {
    int unit = ready.begin()->second;
    ready.erase(ready.begin());
    result.push_back(unit);
    for (int next : after[unit])
      if (--open[next] == 0) ready.insert({rank[next], next});
  }
  HONE_CHECK(result.size() == open.size(), "clusters wait for each other");
  return result;
}

}  // namespace hone::partition
