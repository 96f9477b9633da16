// Which elements of a kernel's tiles hold a value, and when they lose it. Part of kernel evaluation.
#pragma once

#include "eval/point_code.h"
#include "ir/mugraph/kernel.h"

namespace hone::eval {

// When a tile forgets everything.
struct Lifetime {
  const ir::Nest* entered = nullptr;   // … when this loop is entered (carried tiles)
  const ir::Nest* iterated = nullptr;  // … when each iteration of this loop begins; both null: never
  bool state = false;                  // kept by its loop, which initialises it
  // Axes of the tile that loops inside `iterated` cut: a write at another place of them overwrites the tile.
  std::vector<bool> cut;
};

// By number of the tile.
std::vector<Lifetime> lifetimes_of(const ir::Kernel& kernel);

class TileLife : public Liveness {
 public:
  TileLife(const Lifetime& lifetime, std::vector<int64_t> shape, std::optional<std::pair<size_t, int64_t>> ring);

  bool alive(int64_t offset) const override;
  void write(int64_t offset);
  void forget() { ++epoch_, ring_top_ = -1, window_.clear(); }
  // A group begins to write the tile on [ranges): overwrites what lies elsewhere along cut axes.
  void begin_write(const std::vector<std::pair<int64_t, int64_t>>& ranges);
  const Lifetime& lifetime() const { return lifetime_; }

 private:
  int64_t ring_index(int64_t offset) const { return offset / ring_stride_ % ring_size_; }

  Lifetime lifetime_;
  std::vector<uint32_t> written_;  // the epoch in which an element was last written
  uint32_t epoch_ = 1;
  std::vector<std::pair<int64_t, int64_t>> window_;
  std::optional<size_t> ring_dimension_;
  int64_t ring_rows_ = 0, ring_stride_ = 1, ring_size_ = 1, ring_top_ = -1;
};

}  // namespace hone::eval
