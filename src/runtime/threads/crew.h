// Crew: the threads of a Pool, as long as one process lives. Use it through Pool.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "runtime/threads/barrier.h"
#include "runtime/threads/placement.h"
#include "runtime/threads/pool.h"

namespace hone::runtime {

class Crew {
 public:
  // Throws std::system_error if the system gives no threads.
  explicit Crew(int workers);
  ~Crew();

  void run(Pool::Job job, void* context);

 private:
  void start(int worker);
  void stop();
  void work(int worker);
  uint32_t wait_for_job(uint32_t last);
  void announce();

  const int workers_;
  const int64_t spin_nanoseconds_;
  Pool::Job job_ = nullptr;
  void* context_ = nullptr;
  bool ending_ = false;
  Placement placement_;
  std::vector<std::thread> threads_;

  // Counts jobs; a worker sleeps on it (futex).
  alignas(cache_line) std::atomic<uint32_t> announced_ = 0;
  alignas(cache_line) std::atomic<int> unfinished_ = 0;
  alignas(cache_line) std::atomic<int> sleepers_ = 0;
};

}  // namespace hone::runtime
