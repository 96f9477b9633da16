#include "runtime/threads/pool.h"

#include <map>
#include <mutex>
#include <system_error>

#include "base/result.h"
#include "runtime/threads/crew.h"

namespace hone::runtime {

namespace {

struct SharedPools {
  std::mutex mutex;
  std::map<int, std::weak_ptr<Pool>> by_size;
  ForkHooks fork_hooks{[this] { mutex.lock(); }, [this] { mutex.unlock(); }, [this] { mutex.unlock(); }};
};

}  // namespace

std::shared_ptr<Pool> Pool::shared(int workers) {
  static auto* pools = new SharedPools;  // outlives every session, also those of static storage
  {
    std::lock_guard lock(pools->mutex);
    if (std::shared_ptr<Pool> pool = pools->by_size[workers].lock()) return pool;
  }
  // Made and destroyed outside the lock: both take the lock of the fork hooks, which a fork takes before this one.
  auto fresh = std::make_shared<Pool>(workers);
  std::lock_guard lock(pools->mutex);
  std::weak_ptr<Pool>& slot = pools->by_size[workers];
  if (std::shared_ptr<Pool> pool = slot.lock()) return pool;
  slot = fresh;
  return fresh;
}

Pool::Pool(int workers)
    : workers_(workers),
      fork_hooks_([] {}, [] {},
                  [this] {
                    // Its threads stayed in the parent: it can be neither joined nor destroyed.
                    crew_ = nullptr;
                    taken_ = false;
                  }) {
  HONE_CHECK(workers >= 1, "{} workers", workers);
}

Pool::~Pool() {
  delete crew_.load();
}

Crew* Pool::crew() {
  if (Crew* crew = crew_.load(std::memory_order_acquire)) return crew;
  if (no_threads_.load(std::memory_order_relaxed)) return nullptr;
  try {
    crew_.store(new Crew(workers_), std::memory_order_release);
  } catch (const std::system_error&) {
    no_threads_ = true;
  }
  return crew_.load(std::memory_order_relaxed);
}

bool Pool::try_run(Job job, void* context) {
  if (workers_ == 1) {
    job(context, 0);
    return true;
  }
  if (taken_.load(std::memory_order_relaxed) || taken_.exchange(true, std::memory_order_acquire)) return false;
  Crew* members = crew();
  if (members != nullptr) members->run(job, context);
  taken_.store(false, std::memory_order_release);
  return members != nullptr;
}

}  // namespace hone::runtime
