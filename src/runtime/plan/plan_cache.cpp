#include "runtime/plan/plan_cache.h"

#include <algorithm>

namespace hone::runtime {

PlanCache::PlanCache(size_t capacity)
    : capacity_(capacity),
      fork_hooks_([this] { mutex_.lock(); }, [this] { mutex_.unlock(); }, [this] { mutex_.unlock(); }) {
  entries_.reserve(capacity);
}

PlanCache::Entry* PlanCache::entry_for(std::span<const int64_t> symbols) {
  for (Entry& entry : entries_)
    if (std::equal(symbols.begin(), symbols.end(), entry.plan->symbols.begin(), entry.plan->symbols.end())) {
      entry.used = ++uses_;
      return &entry;
    }
  return nullptr;
}

std::shared_ptr<const ShapePlan> PlanCache::find(std::span<const int64_t> symbols) {
  std::lock_guard lock(mutex_);
  Entry* entry = entry_for(symbols);
  return entry == nullptr ? nullptr : entry->plan;
}

std::shared_ptr<const ShapePlan> PlanCache::keep(std::shared_ptr<const ShapePlan> plan) {
  std::lock_guard lock(mutex_);
  if (Entry* entry = entry_for(plan->symbols)) return entry->plan;
  if (entries_.size() < capacity_) {
    entries_.push_back({plan, ++uses_});
    return plan;
  }
  auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                 [](const Entry& a, const Entry& b) { return a.used < b.used; });
  *oldest = {plan, ++uses_};
  return plan;
}

size_t PlanCache::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace hone::runtime
