// Pool: a crew of worker threads for SPMD code. One fork-join per run; the caller is worker 0.
//
// Idle workers spin for a moment, because the next run often follows within microseconds, then sleep until woken.
// The pool serves one call at a time. A child process made by fork() starts a crew of its own when it first needs one.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/threads/fork.h"

namespace hone::runtime {

class Crew;

class Pool {
 public:
  using Job = void (*)(void* context, int worker);

  // The pool of this size that all sessions of the process share; its threads end with its last owner.
  static std::shared_ptr<Pool> shared(int workers);

  explicit Pool(int workers);
  ~Pool();

  int workers() const { return workers_; }

  // Runs job(context, w) on every worker w and returns true when all have ended. False, with nothing run, if another
  // call has the pool, or if the system gives no threads: the caller then does the work of all workers itself.
  // The job may wait for the other workers (Barrier): all of them run at the same time.
  bool try_run(Job job, void* context);

 private:
  Crew* crew();

  const int workers_;
  std::atomic<bool> taken_ = false;
  std::atomic<bool> no_threads_ = false;
  std::atomic<Crew*> crew_ = nullptr;
  ForkHooks fork_hooks_;
};

}  // namespace hone::runtime
