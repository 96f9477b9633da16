// Plan cache: the ShapePlans of the shapes seen last.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/plan/shape_plan.h"
#include "runtime/threads/fork.h"

namespace hone::runtime {

class PlanCache {
 public:
  explicit PlanCache(size_t capacity);

  // The plan for these values of the symbols, or null.
  std::shared_ptr<const ShapePlan> find(std::span<const int64_t> symbols);
  // Keeps the plan, in place of the one that was used longest ago if the cache is full. If another thread was faster,
  // returns its plan instead.
  std::shared_ptr<const ShapePlan> keep(std::shared_ptr<const ShapePlan> plan);

  size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<const ShapePlan> plan;
    uint64_t used = 0;
  };
  Entry* entry_for(std::span<const int64_t> symbols);

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t uses_ = 0;
  ForkHooks fork_hooks_;
};

}  // namespace hone::runtime
