// Independent pieces of work, spread over the machine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

namespace hone {

// Calls work(0) to work(count - 1), each once and in no order, on up to `threads` threads of which the caller's is one;
// where the system gives fewer, those that are there do it all. Returns when all have returned. If some threw, throws what
// the first of them (by index) did.
void for_each_in_parallel(size_t count, int threads, const std::function<void(size_t)>& work);

// The results of make(0) to make(count - 1) in this order, or the error of the first (by index) that failed.
template <typename T>
Result<std::vector<T>> make_in_parallel(size_t count, int threads, const std::function<Result<T>(size_t)>& make) {
  std::vector<std::optional<Result<T>>> results(count);
  for_each_in_parallel(count, threads, [&](size_t i) { results[i] = make(i); });
  std::vector<T> values;
  values.reserve(count);
  for (std::optional<Result<T>>& result : results) {
    HONE_TRY(T value, std::move(*result));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace hone
