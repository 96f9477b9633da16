#include "runtime/plan/memory_plan.h"

#include <algorithm>

namespace hone::runtime {

namespace {

int64_t round_up(int64_t bytes) {
  return (bytes + arena_alignment - 1) / arena_alignment * arena_alignment;
}

struct Placed {
  int64_t begin, end;
  size_t buffer;
};

bool meet(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

// `placed` is ordered by begin. Returns the start of the tightest gap that fits, else the end of what is in the way.
int64_t tightest_gap(const std::vector<Placed>& placed, const std::vector<Lifetime>& lifetimes, const Lifetime& wanted,
                     int64_t bytes) {
  int64_t best = -1, best_room = INT64_MAX, free_from = 0;
  for (const Placed& other : placed) {
    if (!meet(lifetimes[other.buffer], wanted)) continue;
    int64_t room = other.begin - free_from;
    if (room >= bytes && room < best_room) {
      best = free_from;
      best_room = room;
    }
    free_from = std::max(free_from, other.end);
  }
  return best >= 0 ? best : free_from;
}

}  // namespace

Result<Placement> place(const std::vector<Lifetime>& lifetimes) {
  std::vector<size_t> order;
  int64_t sum = 0;
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime& life = lifetimes[i];
    if (life.bytes < 0) return error("a buffer would have {} bytes", life.bytes);
    if (life.bytes == 0 || life.last < life.first) continue;
    order.push_back(i);
    if (__builtin_add_overflow(sum, life.bytes, &sum) || sum > INT64_MAX / 2)
      return error("the buffers of these shapes take more bytes than 64 bits can count");
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  Placement result;
  result.offsets.assign(lifetimes.size(), 0);
  std::vector<Placed> placed;
  placed.reserve(order.size());
  for (size_t i : order) {
    int64_t bytes = round_up(lifetimes[i].bytes);
    int64_t begin = tightest_gap(placed, lifetimes, lifetimes[i], bytes);
    auto after = std::upper_bound(placed.begin(), placed.end(), begin,
                                  [](int64_t at, const Placed& other) { return at < other.begin; });
    placed.insert(after, {begin, begin + bytes, i});
    result.offsets[i] = begin;
    result.bytes = std::max(result.bytes, begin + bytes);
  }
  return result;
}

int64_t most_alive(const std::vector<Lifetime>& lifetimes) {
  int64_t most = 0;
  for (const Lifetime& at : lifetimes) {
    int64_t alive = 0;
    for (const Lifetime& other : lifetimes)
      if (other.first <= at.first && at.first <= other.last) alive += round_up(other.bytes);
    most = std::max(most, alive);
  }
  return most;
}

}  // namespace hone::runtime
