#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

namespace hone {

void for_each_in_parallel(size_t count, int threads, const std::function<void(size_t)>& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<size_t> next = 0;
  auto take_all = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> helpers;
  const size_t wanted = std::min(count, static_cast<size_t>(std::max(threads, 1)));
  helpers.reserve(wanted);
  try {
    while (helpers.size() + 1 < wanted) helpers.emplace_back(take_all);
  } catch (const std::system_error&) {
  }
  take_all();
  for (std::thread& helper : helpers) helper.join();
  for (const std::exception_ptr& problem : thrown)
    if (problem) std::rethrow_exception(problem);
}

}  // namespace hone
