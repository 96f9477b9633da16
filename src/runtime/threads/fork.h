// Survival of fork(): a child process has one thread, and whatever another thread held locked stays locked.
#pragma once

#include <functional>

namespace hone::runtime {

// While it lives, `before` runs in the parent ahead of each fork (to take locks), then `in_parent` and `in_child` in the
// two processes. Make it the last member of its owner, so that the owner is whole whenever they run.
class ForkHooks {
 public:
  ForkHooks(std::function<void()> before, std::function<void()> in_parent, std::function<void()> in_child);
  ~ForkHooks();
  ForkHooks(const ForkHooks&) = delete;
  ForkHooks& operator=(const ForkHooks&) = delete;

  const std::function<void()> before, in_parent, in_child;
};

}  // namespace hone::runtime
