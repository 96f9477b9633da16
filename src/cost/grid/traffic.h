// Bytes that a loop nest moves into each level of cache, by the sizes of what each loop touches.
#pragma once

#include "cost/use.h"

namespace hone::cost {

// A loop of the nest, listed from the outermost: inside it, the axis spans `step` points.
struct NestLoop {
  size_t axis = 0;  // number in the kernel's list of axes
  int64_t step = 1;
  double count = 1;
};

// A tensor that the nest touches, dimension by dimension.
class Touched {
 public:
  // `innermost` is the axis of the innermost loop.
  Touched(const ir::Kernel& kernel, const Use& use, int place, const std::vector<ir::Index>& index,
          const std::string& innermost);

  // Bytes touched while each axis spans so many points, whole cache lines counted.
  double bytes(const std::vector<int64_t>& spans) const;
  bool moves_with(size_t axis) const { return moves_[axis]; }
  bool is_weight() const { return weight_; }
  bool is_tile() const { return tile_; }
  // How much longer a byte of it takes than a byte of a run that the processor fetches ahead.
  double wait_factor(const std::vector<NestLoop>& loops) const;

 private:
  struct Term {
    size_t axis;
    int64_t factor;
  };
  struct Dimension {
    std::vector<Term> terms;
    int64_t extent = 1;
    bool contiguous = false;
  };
  // Bytes that follow each other in memory before the loops go elsewhere; 0: all of it.
  double run_bytes(const std::vector<NestLoop>& loops) const;

  std::vector<Dimension> dimensions_;
  std::vector<bool> moves_;  // by axis
  double element_bytes_ = 4;
  bool weight_ = false, tile_ = false;
  bool jumps_ = false;  // from line to line, in the innermost loop
};

// Bytes, those that jump from line to line counted by their wait_factor.
struct Traffic {
  double into_l1 = 0, into_l2 = 0, into_l3 = 0;
  // The parts of it that these caches still hold from the kernel before, unless something else drove it out.
  double into_l2_if_forgotten = 0, into_l3_if_forgotten = 0;
};

// Bytes of the second-level cache that operands may count on.
double usable_l2(const target::Target& target);

// `grid`: how many of the loops, from the outermost on, are tasks; `parallel`: how many stand before those of the reduction. `pass`:
// bytes of weights that are there at once where the reduction can be taken in passes. A tile was written by the task that reads it, so that it moves only
// where its cache cannot hold it: there once, back as often as it is read.
Traffic traffic_of(const std::vector<Touched>& touched, const std::vector<NestLoop>& loops, size_t grid,
                   size_t parallel, const std::vector<int64_t>& extents, double pass, const target::Target& target);

}  // namespace hone::cost
