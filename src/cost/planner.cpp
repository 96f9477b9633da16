#include "cost/planner.h"

#include "cost/passes/column_passes.h"

namespace hone::cost {

std::shared_ptr<const Planned> Planner::plan(const ir::Kernel& kernel, const Use& use) {
  const std::string key = key_of(kernel, use);
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(key); found != known_.end()) return found->second;
  }
  auto planned = std::make_shared<Planned>();
  planned->rewritten = in_column_passes(kernel, use, target_);
  planned->completed = complete(planned->rewritten ? *planned->rewritten : kernel, {}, use, target_);
  if (!planned->rewritten)
    if (auto passes = complete_in_passes(kernel, use, target_, planned->completed.plan)) {
      planned->completed.plan = std::move(passes->plan);
      planned->completed.reasons.templates.back() +=
          "; in passes, because the second-level cache does not hold two strips of weights";
      planned->rewritten = std::move(passes->kernel);
    }
  std::lock_guard lock(mutex_);
  return known_.emplace(key, std::move(planned)).first->second;
}

}  // namespace hone::cost
