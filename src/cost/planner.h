// Plans kernels for their uses, each that is asked for again only once. May be asked from several threads at once.
#pragma once

#include <memory>
#include <mutex>

#include "cost/complete.h"

namespace hone::cost {

struct Planned {
  std::optional<ir::Kernel> rewritten;  // what the plan is of, if not the kernel itself
  CompletedKernel completed;
};

class Planner {
 public:
  explicit Planner(const target::Target& target) : target_(target) {}

  // Kernels are known by their names.
  std::shared_ptr<const Planned> plan(const ir::Kernel& kernel, const Use& use);

 private:
  const target::Target& target_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Planned>> known_;
};

}  // namespace hone::cost
