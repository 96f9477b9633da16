// Where the elements of buffers and tiles lie: element offsets as index expressions.
#pragma once

#include "ir/plan/bind.h"
#include "lower/emitter.h"

namespace hone::lower {

class Addresses {
 public:
  Addresses(const ir::Bound& bound, const ir::KernelPlan& plan);

  // Gives a tile its place: the first index and the number of elements of each of its axes. The first call counts.
  void place_tile(const std::string& tile, const std::vector<ir::Index>& begin, const std::vector<ir::Index>& count);

  // `index` is over the kernel's axes; `values` gives each its value over loop variables and kLane.
  ir::Index offset(int place, const std::vector<ir::Index>& index,
                   const std::map<std::string, ir::Index>& values) const;

  // Reading whole vectors past the end along `axis` stays inside the place's own memory.
  bool padded_along(int place, const std::vector<ir::Index>& index, const std::string& axis, int64_t points) const;

  int64_t tile_elements_slack() const;
  ir::Index elements(const std::string& tile) const;
  ir::Index scratch_bytes() const { return scratch_; }
  ir::Index byte_offset(const std::string& tile) const;
  bool is_tile(int place) const;
  bool is_streamed(int place) const { return streamed_.contains(place); }
  bool is_alone(int place) const { return alone_.contains(place); }

 private:
  struct TilePlace {
    std::vector<ir::Index> begin, count;
    ir::Index byte_offset;
  };
  const TilePlace& placed(const std::string& tile) const;
  ir::Index buffer_offset(size_t buffer, const std::vector<ir::Index>& index) const;
  ir::Index merge(ir::Index offset) const;

  const ir::Bound& bound_;
  std::vector<layout::Layout> layouts_;
  std::set<int> streamed_;  // places that are stored past the caches
  std::set<int> alone_;     // places behind whose vectors nothing is fetched ahead
  std::map<std::string, TilePlace> tiles_;
  ir::Index scratch_ = 0;
};

}  // namespace hone::lower
