// The caller's tensors as the runtime takes them.
#pragma once

#include <memory>
#include <span>

#include "capi/runtime_session.h"

namespace hone::capi {

// Small calls stay off the heap: hone_session_run_into promises it.
template <typename T>
class FewOrMany {
 public:
  explicit FewOrMany(size_t count) : count_(count) {
    if (count > std::size(few_)) many_ = std::make_unique<T[]>(count);
  }
  T& operator[](size_t i) { return (many_ ? many_.get() : few_)[i]; }
  std::span<const T> all() { return {many_ ? many_.get() : few_, count_}; }

 private:
  const size_t count_;
  T few_[16];
  std::unique_ptr<T[]> many_;
};

// Checks what the runtime cannot see: types and shapes that are there, and enough bytes, with `shapes_only` only where
// shapes depend on the data.
Status read_inputs(FewOrMany<runtime::InputTensor>& into, const runtime::Runner& runner, const hone_tensor* tensors,
                   size_t count, bool shapes_only);

}  // namespace hone::capi
