#include "runtime/threads/crew.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <csignal>

#include "runtime/threads/clock.h"
#include "runtime/threads/float_mode.h"
#include "target/cores.h"

namespace hone::runtime {

namespace {

constexpr int64_t idle_spin_nanoseconds = 150'000;
constexpr int64_t selfish_spin_nanoseconds = 10'000;

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

void futex(std::atomic<uint32_t>& word, int operation, uint32_t value) {
  syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

// Signals are for the threads of the application: workers are born with all of them blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

Crew::Crew(int workers)
    : workers_(workers),
      // More workers than cores: a spinning one would take the core of one that has work.
      spin_nanoseconds_(workers <= target::available_cores() ? idle_spin_nanoseconds : 0),
      placement_(workers) {
  BlockedSignals blocked;
  try {
    for (int worker = 1; worker < workers; ++worker) start(worker);
  } catch (...) {
    stop();
    throw;
  }
}

Crew::~Crew() {
  stop();
}

void Crew::start(int worker) {
  threads_.emplace_back([this, worker] { work(worker); });
  pthread_setname_np(threads_.back().native_handle(), "hone-worker");
}

void Crew::stop() {
  ending_ = true;
  announce();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::announce() {
  // In one order with the sleeper's two steps (count itself, then look at the number): one of both sees the other.
  announced_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) futex(announced_, FUTEX_WAKE, INT_MAX);
}

void Crew::run(Pool::Job job, void* context) {
  job_ = job;
  context_ = context;
  placement_.note_caller();
  unfinished_.store(workers_ - 1, std::memory_order_relaxed);
  announce();
  job(context, 0);
  spin_until([&] { return unfinished_.load(std::memory_order_acquire) == 0; });
}

uint32_t Crew::wait_for_job(uint32_t last) {
  const int64_t begin = now_nanoseconds();
  while (true) {
    for (int i = 0; i < 64; ++i) {
      uint32_t number = announced_.load(std::memory_order_acquire);
      if (number != last) return number;
      pause_once();
    }
    int64_t waited = now_nanoseconds() - begin;
    if (waited >= spin_nanoseconds_) break;
    // Where cores are short, the next job may come from a thread that waits for this one's core.
    if (waited >= selfish_spin_nanoseconds) sched_yield();
  }
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  while (announced_.load(std::memory_order_seq_cst) == last) futex(announced_, FUTEX_WAIT, last);
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
  return announced_.load(std::memory_order_acquire);
}

void Crew::work(int worker) {
  // The thread was born with the mode of the one that started it.
  DefaultFloatMode mode;
  uint32_t done = 0;
  while (true) {
    done = wait_for_job(done);
    if (ending_) return;
    placement_.settle(worker);
    job_(context_, worker);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace hone::runtime
