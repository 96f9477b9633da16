// Packing is a nest of independent loops, one per part, each advancing source and destination by a constant. What makes
// it fast is the choice of the inner loops: long runs become memcpy, and where the source runs across the destination
// one loop is cut into short pieces so that both sides stay within few cache lines and pages.
#include <algorithm>
#include <cstring>

#include "layout/layout.h"

namespace hone::layout {
namespace {

constexpr int64_t kPiece = 32;

struct Loop {
  int64_t count;
  int64_t from_step, to_step;  // in elements
  size_t dim;                  // the loop stands for index[dim] / divide
  int64_t divide;
};

template <typename Element>
void copy_strided(const std::byte* from, std::byte* to, const Loop& loop, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * loop.to_step * int64_t{sizeof(Element)}, from + i * loop.from_step * int64_t{sizeof(Element)},
                sizeof(Element));
}

class Packer {
 public:
  Packer(const Layout& layout, const std::vector<int64_t>& shape, size_t element_size)
      : shape_(shape), element_size_(static_cast<int64_t>(element_size)) {
    add_loops(layout);
    merge_runs();
    index_.assign(shape_.size(), 0);
  }

  void run(const std::byte* from, std::byte* to) {
    if (loops_.empty()) {
      std::memcpy(to, from, static_cast<size_t>(element_size_));
      return;
    }
    size_t at = crossing_loop();
    if (at == loops_.size()) return walk(0, from, to);
    Loop whole_loop = loops_[at];
    for (int64_t begin = 0; begin < whole_loop.count; begin += kPiece) {
      loops_[at].count = std::min(kPiece, whole_loop.count - begin);
      index_[whole_loop.dim] = begin * whole_loop.divide;
      walk(0, from + begin * whole_loop.from_step * element_size_, to + begin * whole_loop.to_step * element_size_);
    }
  }

 private:
  void add_loops(const Layout& layout) {
    std::vector<int64_t> strides(shape_.size(), 1);
    for (size_t d = shape_.size(); d-- > 1;) strides[d - 1] = strides[d] * shape_[d];
    std::vector<int64_t> sizes = part_sizes(layout, shape_);
    int64_t to_step = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      const Part& part = layout.parts[i];
      size_t dim = static_cast<size_t>(part.dim);
      loops_.insert(loops_.begin(), {sizes[i], strides[dim] * part.divide, to_step, dim, part.divide});
      to_step *= sizes[i];
    }
  }

  // A dimension that is not split never meets padding, so two such loops in a row may become one.
  bool whole(const Loop& loop) const { return loop.divide == 1 && loop.count == shape_[loop.dim]; }

  void merge_runs() {
    for (size_t i = loops_.size(); i-- > 1;) {
      Loop &outer = loops_[i - 1], &inner = loops_[i];
      if (!whole(outer) || !whole(inner) || outer.from_step != inner.from_step * inner.count) continue;
      shape_.push_back(outer.count * inner.count);
      outer = {shape_.back(), inner.from_step, inner.to_step, shape_.size() - 1, 1};
      loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  // The innermost loop that jumps in the source, if it is long and some loop around it makes smaller jumps: run in
  // pieces, it leaves the cache lines that it opened near until that other loop comes back to them.
  size_t crossing_loop() const {
    size_t at = loops_.size() - 1;
    if (loops_[at].from_step == 1 && at > 0) --at;
    const Loop& loop = loops_[at];
    bool finer_outside = std::any_of(loops_.begin(), loops_.begin() + static_cast<std::ptrdiff_t>(at),
                                     [&](const Loop& other) { return other.from_step < loop.from_step; });
    return finer_outside && loop.count > kPiece ? at : loops_.size();
  }

  void walk(size_t level, const std::byte* from, std::byte* to) {
    const Loop& loop = loops_[level];
    int64_t left = shape_[loop.dim] - index_[loop.dim];
    int64_t count = std::min(loop.count, (left + loop.divide - 1) / loop.divide);
    if (count <= 0) return;
    if (level + 1 == loops_.size()) return copy_run(loop, count, from, to);
    for (int64_t i = 0; i < count; ++i) {
      walk(level + 1, from, to);
      index_[loop.dim] += loop.divide;
      from += loop.from_step * element_size_;
      to += loop.to_step * element_size_;
    }
    index_[loop.dim] -= count * loop.divide;
  }

  void copy_run(const Loop& loop, int64_t count, const std::byte* from, std::byte* to) const {
    if (loop.from_step == 1 && loop.to_step == 1) {
      std::memcpy(to, from, static_cast<size_t>(count * element_size_));
    } else if (element_size_ == 4) {
      copy_strided<uint32_t>(from, to, loop, count);
    } else if (element_size_ == 1) {
      copy_strided<uint8_t>(from, to, loop, count);
    } else if (element_size_ == 2) {
      copy_strided<uint16_t>(from, to, loop, count);
    } else if (element_size_ == 8) {
      copy_strided<uint64_t>(from, to, loop, count);
    } else {
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * loop.to_step * element_size_, from + i * loop.from_step * element_size_,
                    static_cast<size_t>(element_size_));
    }
  }

  std::vector<int64_t> shape_;  // of the tensor, then of merged dimensions
  int64_t element_size_;
  std::vector<Loop> loops_;     // outermost first
  std::vector<int64_t> index_;  // per entry of shape_: where the open loops stand
};

}  // namespace

void pack(const Layout& layout, const std::vector<int64_t>& shape, size_t element_size, const void* from, void* to) {
  if (Status valid = validate(layout, static_cast<int>(shape.size())); !valid.ok())
    HONE_CHECK(valid.ok(), "{}", valid.problem().message);
  int64_t count = element_count(layout, shape), given = 1;
  for (int64_t extent : shape) given *= extent;
  if (count > given) std::memset(to, 0, static_cast<size_t>(count) * element_size);
  if (given == 0) return;
  Packer(layout, shape, element_size).run(static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
}

}  // namespace hone::layout
