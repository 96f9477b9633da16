// Placement: keeps the workers of a crew on processors of their own.
//
// The system may wake a worker on the very processor that its caller keeps busy, and leave the two there for long: they take turns,
// which looks like one loaded processor. A worker that finds itself there moves away, now and then: where the other
// processors are busy too, the system knows better.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace hone::runtime {

class Placement {
 public:
  // Takes the affinity mask of the constructing thread as the processors that workers may use.
  explicit Placement(int workers);

  // The calling thread, worker 0 of the coming job, is the application's: its place is noted and never changed.
  void note_caller() { note(0, sched_getcpu()); }

  // Moves the calling thread, if a worker of a lower number holds its processor and another one is free. It may be moved
  // again by the system at once. At most one move in a tenth of a second.
  void settle(int worker);

 private:
  struct Seat {
    std::atomic<int> processor = -1;
    int64_t moved = 0;  // nanoseconds; its own worker's
  };

  void note(int worker, int processor);
  bool held_below(int worker, int processor) const;
  void move_to_free(int worker) const;

  cpu_set_t allowed_;
  // Written on change only, so that reading them costs no cache miss while everyone stays in place.
  std::vector<Seat> seats_;
};

}  // namespace hone::runtime
