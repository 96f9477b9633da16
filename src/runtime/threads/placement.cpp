#include "runtime/threads/placement.h"

#include "runtime/threads/clock.h"

namespace hone::runtime {

namespace {

constexpr int64_t rest_nanoseconds = 100'000'000;

}  // namespace

Placement::Placement(int workers) : seats_(static_cast<size_t>(workers)) {
  CPU_ZERO(&allowed_);
  if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) CPU_ZERO(&allowed_);
}

void Placement::note(int worker, int processor) {
  std::atomic<int>& seat = seats_[static_cast<size_t>(worker)].processor;
  if (seat.load(std::memory_order_relaxed) != processor) seat.store(processor, std::memory_order_relaxed);
}

bool Placement::held_below(int worker, int processor) const {
  for (int other = 0; other < worker; ++other)
    if (seats_[static_cast<size_t>(other)].processor.load(std::memory_order_relaxed) == processor) return true;
  return false;
}

void Placement::move_to_free(int worker) const {
  cpu_set_t free = allowed_;
  for (size_t other = 0; other < seats_.size(); ++other) {
    int processor = seats_[other].processor.load(std::memory_order_relaxed);
    if (static_cast<int>(other) != worker && processor >= 0 && processor < CPU_SETSIZE) CPU_CLR(processor, &free);
  }
  if (CPU_COUNT(&free) == 0 || sched_setaffinity(0, sizeof free, &free) != 0) return;
  sched_setaffinity(0, sizeof allowed_, &allowed_);
}

void Placement::settle(int worker) {
  int processor = sched_getcpu();
  if (held_below(worker, processor)) {
    Seat& seat = seats_[static_cast<size_t>(worker)];
    if (int64_t now = now_nanoseconds(); now - seat.moved >= rest_nanoseconds) {
      seat.moved = now;
      move_to_free(worker);
      processor = sched_getcpu();
    }
  }
  note(worker, processor);
}

}  // namespace hone::runtime
