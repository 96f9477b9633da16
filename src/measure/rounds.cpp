#include "measure/rounds.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

namespace hone::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFewestRounds = 5, kMostRounds = 15;
constexpr double kRoundSeconds = 2e-3, kEnoughSeconds = 0.4;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

double fastest_round(int threads, const std::function<void(int)>& work) {
  std::barrier meet(threads);
  double fastest = std::numeric_limits<double>::infinity();
  bool more = true;  // thread 0 writes it between two meetings, after which the others read it
  Clock::time_point start = Clock::now();
  auto rounds = [&](int thread) {
    for (int round = 1;; ++round) {
      meet.arrive_and_wait();
      if (!more) return;
      Clock::time_point begin = Clock::now();
      work(thread);
      meet.arrive_and_wait();
      if (thread != 0) continue;
      fastest = std::min(fastest, seconds_since(begin));
      more = round < kFewestRounds || (round < kMostRounds && seconds_since(start) < kEnoughSeconds);
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(rounds, thread);
  rounds(0);
  for (std::thread& other : others) other.join();
  return fastest;
}

int64_t repeats_for(const std::function<void()>& work) {
  work();
  Clock::time_point begin = Clock::now();
  work();
  return std::max<int64_t>(1, static_cast<int64_t>(kRoundSeconds / std::max(seconds_since(begin), 1e-9)));
}

}  // namespace hone::measure
