#include "runtime/alias.h"

namespace hone::runtime {

Result<std::vector<size_t>> alias_roots(const std::vector<BufferSpec>& buffers) {
  constexpr size_t unknown = SIZE_MAX, on_path = SIZE_MAX - 1;
  std::vector<size_t> roots(buffers.size(), unknown);
  std::vector<size_t> path;
  for (size_t start = 0; start < buffers.size(); ++start) {
    size_t at = start;
    path.clear();
    while (roots[at] == unknown && buffers[at].kind == BufferSpec::Kind::Alias) {
      roots[at] = on_path;
      path.push_back(at);
      int64_t next = buffers[at].number;
      if (next < 0 || next >= static_cast<int64_t>(buffers.size()))
        return error("buffer '{}' is an alias of buffer {}, but there are {}", buffers[at].name, next, buffers.size());
      at = static_cast<size_t>(next);
    }
    if (roots[at] == on_path) return error("buffer '{}' is an alias of itself", buffers[at].name);
    if (roots[at] == unknown) roots[at] = at;
    for (size_t passed : path) roots[passed] = roots[at];
  }
  return roots;
}

}  // namespace hone::runtime
