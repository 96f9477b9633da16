#include "runtime/threads/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/threads/barrier.h"

namespace hone::runtime {
namespace {

struct Marks {
  explicit Marks(int workers) : barrier(workers), count(static_cast<size_t>(workers)) {}
  Barrier barrier;
  std::vector<int> count;
};

void mark(void* context, int worker) {
  ++static_cast<Marks*>(context)->count[static_cast<size_t>(worker)];
}

TEST(Pool, EveryWorkerRunsOnce) {
  for (int workers : {1, 2, 3, 7}) {
    Pool pool(workers);
    Marks marks(workers);
    for (int round = 1; round <= 100; ++round) {
      ASSERT_TRUE(pool.try_run(mark, &marks));
      for (int count : marks.count) ASSERT_EQ(count, round);
    }
  }
}

TEST(Pool, BarrierOrdersWritesOfAllWorkers) {
  constexpr int workers = 4, rounds = 500;
  static std::vector<int> values;
  static std::atomic<int> wrong;
  values.assign(workers, 0);
  wrong = 0;
  Pool pool(workers);
  Marks marks(workers);
  auto job = [](void* context, int worker) {
    Barrier& barrier = static_cast<Marks*>(context)->barrier;
    for (int round = 1; round <= rounds; ++round) {
      values[static_cast<size_t>(worker)] = round;
      barrier.wait();
      for (int value : values) wrong += value != round;
      barrier.wait();
    }
  };
  ASSERT_TRUE(pool.try_run(job, &marks));
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, ServesOneCallAtATime) {
  Pool pool(2);
  struct State {
    Pool* pool;
    bool inner = true;
  } state{&pool};
  auto outer = [](void* context, int worker) {
    auto* s = static_cast<State*>(context);
    auto nothing = [](void*, int) {};
    if (worker == 0) s->inner = s->pool->try_run(nothing, nullptr);
  };
  ASSERT_TRUE(pool.try_run(outer, &state));
  EXPECT_FALSE(state.inner);
}

TEST(Pool, SessionsOfOneSizeShare) {
  auto a = Pool::shared(2), b = Pool::shared(2), c = Pool::shared(3);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

TEST(Pool, ForkedChildStartsItsOwnCrew) {
  Pool pool(3);
  Marks marks(3);
  ASSERT_TRUE(pool.try_run(mark, &marks));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    bool ran = pool.try_run(mark, &marks);
    _exit(ran && marks.count == std::vector<int>{2, 2, 2} ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(pool.try_run(mark, &marks));
}

TEST(Pool, IdleWorkersSleep) {
  Pool pool(4);
  Marks marks(4);
  ASSERT_TRUE(pool.try_run(mark, &marks));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  auto processor_seconds = [] {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processor_seconds() - before, 0.02);
  EXPECT_TRUE(pool.try_run(mark, &marks));
}

TEST(Pool, PrintsForkJoinLatency) {
  for (int workers : {2, 4}) {
    Pool pool(workers);
    std::vector<double> microseconds;
    auto nothing = [](void*, int) {};
    for (int round = 0; round < 2000; ++round) {
      auto begin = std::chrono::steady_clock::now();
      ASSERT_TRUE(pool.try_run(nothing, nullptr));
      std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
      microseconds.push_back(taken.count());
    }
    std::nth_element(microseconds.begin(), microseconds.begin() + 1000, microseconds.end());
    std::printf("fork-join of %d workers: median %.2f us\n", workers, microseconds[1000]);
  }
}

}  // namespace
}  // namespace hone::runtime
