#include "runtime/threads/fork.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace hone::runtime {

namespace {

// Held from the start of a fork to its end, so that no hook comes or goes in between.
struct Registry {
  std::mutex mutex;
  std::vector<ForkHooks*> hooks;
};

Registry& registry() {
  // Never destroyed: a fork may happen while the process is ending.
  static auto* one = new Registry;
  return *one;
}

void before_fork() {
  registry().mutex.lock();
  for (ForkHooks* hooks : registry().hooks) hooks->before();
}

void after_fork_in_parent() {
  for (ForkHooks* hooks : registry().hooks) hooks->in_parent();
  registry().mutex.unlock();
}

void after_fork_in_child() {
  for (ForkHooks* hooks : registry().hooks) hooks->in_child();
  registry().mutex.unlock();
}

}  // namespace

ForkHooks::ForkHooks(std::function<void()> before_, std::function<void()> in_parent_, std::function<void()> in_child_)
    : before(std::move(before_)), in_parent(std::move(in_parent_)), in_child(std::move(in_child_)) {
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  (void)registered;
  std::lock_guard lock(registry().mutex);
  registry().hooks.push_back(this);
}

ForkHooks::~ForkHooks() {
  std::lock_guard lock(registry().mutex);
  std::erase(registry().hooks, this);
}

}  // namespace hone::runtime
