// Walk: executes a Schedule. Each worker walks the whole list and does its share of every op.
#pragma once

#include <atomic>
#include <optional>

#include "runtime/plan/shape_plan.h"
#include "runtime/threads/barrier.h"

namespace hone::runtime {

// One run, shared by its workers.
struct Run {
  const Schedule& schedule;
  const ShapePlan& plan;
  void* const* pointers;  // in the order of schedule.pointers
  std::byte* scratch;
  int workers;
  double* op_seconds = nullptr;  // by op, to be timed; null: not timed

  static constexpr size_t none = SIZE_MAX;
  std::atomic<size_t> failed_op = none;  // a Library op; the first that failed
  std::optional<Error> failure = std::nullopt;
};

// Does the shares of workers [first, last). With a barrier, other threads walk for the others at the same time. Without
// one, [first, last) must be all: then each op is done for every worker before the next begins, and results are the
// same to the bit.
void walk(Run& run, int first, int last, Barrier* barrier);

}  // namespace hone::runtime
