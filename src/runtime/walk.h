// Walk: executes a Schedule. Each worker walks the whole list and does its share of every op; who is done with it helps the
// others with theirs, because processors that are shared with strangers are never equally fast.
#pragma once

#include <array>
#include <atomic>
#include <optional>

#include "runtime/plan/shape_plan.h"
#include "runtime/threads/barrier.h"

namespace hone::runtime {

// How much of one worker's share of a kernel is taken.
struct alignas(cache_line) TakenTasks {
  std::atomic<int64_t> count = 0;
};

// One run, shared by its workers.
struct Run {
  const Schedule& schedule;
  const ShapePlan& plan;
  void* const* pointers;  // in the order of schedule.pointers
  std::byte* scratch;
  int workers;
  double* op_seconds = nullptr;  // by op, to be timed; null: not timed

  // Of the kernel at hand and of the next one, by worker. More workers than these keep to their own shares.
  static constexpr int most_helping = 16;
  std::array<std::array<TakenTasks, most_helping>, 2> taken = {};

  static constexpr size_t none = SIZE_MAX;
  std::atomic<size_t> failed_op = none;  // a Library op; the first that failed
  std::optional<Error> failure = std::nullopt;
};

// Does the shares of workers [first, last). With a barrier, other threads walk for the others at the same time. Without
// one, [first, last) must be all: then each op is done for every worker before the next begins, and results are the
// same to the bit.
void walk(Run& run, int first, int last, Barrier* barrier);

}  // namespace hone::runtime
