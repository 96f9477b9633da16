// Context: the memory that one call of run owns while it lasts. Contexts wait in a lock-free list, so that a steady
// state of calls allocates nothing.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "runtime/aligned_bytes.h"
#include "runtime/plan/shape_plan.h"

namespace hone::runtime {

struct Context {
  std::vector<int64_t> symbols;
  std::shared_ptr<const ShapePlan> plan;    // of the last call; often that of the next
  const ShapePlan* pointers_for = nullptr;  // the plan, this context's own, that `pointers` is filled for
  std::vector<void*> pointers;
  AlignedBytes arena;
  uint32_t number = 0;                  // in the list
  std::atomic<uint32_t> next_free = 0;  // number + 1 of the context below it in the list; 0: none
};

class ContextList {
 public:
  ContextList(size_t symbol_count, size_t pointer_count);
  ~ContextList();
  ContextList(const ContextList&) = delete;
  ContextList& operator=(const ContextList&) = delete;

  // A free context; a new one only if more calls are in flight than ever before.
  Context* take();
  void give_back(Context* context);

  size_t made() const { return made_.load(std::memory_order_relaxed); }

 private:
  // More calls at once than this make contexts of their own that they also free.
  static constexpr uint32_t most_kept = 1024;
  static constexpr uint32_t not_kept = UINT32_MAX;

  std::unique_ptr<Context> make() const;

  const size_t symbol_count_, pointer_count_;
  // Number + 1 of the top context below, a count of changes above: a list that has changed and changed back between a
  // look and an exchange is told apart by the count.
  std::atomic<uint64_t> top_ = 0;
  std::atomic<uint32_t> made_ = 0;
  std::array<std::atomic<Context*>, most_kept> kept_ = {};
};

// Takes a context for as long as it lives.
class ContextLease {
 public:
  explicit ContextLease(ContextList& list) : list_(list), context_(list.take()) {}
  ~ContextLease() { list_.give_back(context_); }
  ContextLease(const ContextLease&) = delete;
  ContextLease& operator=(const ContextLease&) = delete;
  Context& operator*() const { return *context_; }
  Context* operator->() const { return context_; }

 private:
  ContextList& list_;
  Context* context_;
};

}  // namespace hone::runtime
