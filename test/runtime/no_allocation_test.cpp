// A steady state of calls takes no memory from the heap. Counts every operator new of the process.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

#include "runtime/toy_model.h"

namespace {

std::atomic<int64_t> allocations = 0;

void* counted(size_t bytes, size_t alignment) {
  ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) != 0) throw std::bad_alloc();
  return memory;
}

}  // namespace

// GCC sees through the first of these only, and takes free for the wrong counterpart.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(size_t bytes) {
  return counted(bytes, 16);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes, 16);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace hone::runtime {
namespace {

std::shared_ptr<Session> long_chain(int length, int threads, bool one_task) {
  ToyModel model;
  int64_t from = model.input("x");
  for (int i = 0; i < length; ++i) {
    int64_t to = i + 1 == length ? model.output("y") : model.arena("t" + std::to_string(i));
    model.add(model.kernel(scale_kernel, {from, to}, one_task ? constant_formula(1) : ToyModel::blocks(16)));
    from = to;
  }
  return model.session(threads);
}

TEST(Session, SteadyStateAllocatesNothing) {
  for (int threads : {1, 3}) {
    auto session = long_chain(5, threads, false);
    Floats x(64, 1.0f), y(64);
    std::vector<int64_t> small = {48}, large = {64};
    auto call = [&](std::span<const int64_t> shape) {
      InputTensor input{"f32", shape, x.data()};
      OutputMemory output{y.data(), 256};
      return session->run({&input, 1}, {&output, 1}).ok();
    };
    ASSERT_TRUE(call(small) && call(large));
    int64_t before = allocations;
    bool ran = true;
    for (int i = 0; i < 100; ++i) ran = ran && call(small) && call(large) && call(large);
    EXPECT_EQ(allocations - before, 0) << threads << " threads";
    EXPECT_TRUE(ran);
    EXPECT_EQ(session->contexts_made(), 1u);
  }
}

TEST(Session, PrintsOverheadOfTinyKernels) {
  constexpr int kernels = 200, rounds = 200;
  for (int threads : {1, 2}) {
    for (bool one_task : {true, false}) {
      auto session = long_chain(kernels, threads, one_task);
      Floats x(32, 1.0f), y(32);
      std::vector<int64_t> shape = {one_task ? 16 : 32};
      InputTensor input{"f32", shape, x.data()};
      OutputMemory output{y.data(), 128};
      std::vector<double> seconds;
      for (int round = 0; round < rounds; ++round) {
        auto begin = std::chrono::steady_clock::now();
        ASSERT_TRUE(session->run({&input, 1}, {&output, 1}).ok());
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      std::nth_element(seconds.begin(), seconds.begin() + rounds / 2, seconds.end());
      std::printf("%d threads, %s: %.3f us per tiny kernel\n", threads, one_task ? "one task" : "two tasks",
                  seconds[rounds / 2] * 1e6 / kernels);
    }
  }
}

}  // namespace
}  // namespace hone::runtime
