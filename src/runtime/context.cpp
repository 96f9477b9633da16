#include "runtime/context.h"

namespace hone::runtime {

namespace {

uint32_t place_in(uint64_t top) {
  return static_cast<uint32_t>(top);
}

uint64_t changed(uint64_t top, uint32_t place) {
  return ((top >> 32) + 1) << 32 | place;
}

}  // namespace

ContextList::ContextList(size_t symbol_count, size_t pointer_count)
    : symbol_count_(symbol_count), pointer_count_(pointer_count) {}

ContextList::~ContextList() {
  for (std::atomic<Context*>& context : kept_) delete context.load();
}

std::unique_ptr<Context> ContextList::make() const {
  auto context = std::make_unique<Context>();
  context->symbols.resize(symbol_count_);
  context->pointers.resize(pointer_count_);
  context->number = not_kept;
  return context;
}

Context* ContextList::take() {
  uint64_t top = top_.load(std::memory_order_acquire);
  while (uint32_t place = place_in(top)) {
    Context* context = kept_[place - 1].load(std::memory_order_relaxed);
    uint32_t below = context->next_free.load(std::memory_order_relaxed);
    if (top_.compare_exchange_weak(top, changed(top, below), std::memory_order_acquire)) return context;
  }
  std::unique_ptr<Context> fresh = make();
  uint32_t number = made_.fetch_add(1, std::memory_order_relaxed);
  if (number < most_kept) {
    fresh->number = number;
    kept_[number].store(fresh.get(), std::memory_order_relaxed);
  } else {
    made_.store(most_kept, std::memory_order_relaxed);
  }
  return fresh.release();
}

void ContextList::give_back(Context* context) {
  if (context->number == not_kept) {
    delete context;
    return;
  }
  uint64_t top = top_.load(std::memory_order_relaxed);
  do {
    context->next_free.store(place_in(top), std::memory_order_relaxed);
  } while (!top_.compare_exchange_weak(top, changed(top, context->number + 1), std::memory_order_acq_rel));
}

}  // namespace hone::runtime
