#include "lower/address.h"

#include "ir/plan/address.h"

namespace hone::lower {
namespace {

using ir::Index;

// Bytes after each tile that a whole-vector access may run into.
constexpr int64_t kSlackBytes = 256;

}  // namespace

Addresses::Addresses(const ir::Bound& bound, const ir::KernelPlan& plan) : bound_(bound) {
  for (const ir::Buffer& buffer : bound.kernel.buffers) {
    auto found = plan.layouts.find(buffer.name);
    layouts_.push_back(found != plan.layouts.end() ? found->second
                                                   : layout::row_major(static_cast<int>(buffer.shape.size())));
    const int place = static_cast<int>(layouts_.size()) - 1;
    if (plan.streams.contains(buffer.name)) streamed_.insert(place);
    if (plan.alone.contains(buffer.name)) alone_.insert(place);
  }
}

int64_t Addresses::tile_elements_slack() const {
  return kSlackBytes / 4;
}

bool Addresses::is_tile(int place) const {
  int first = static_cast<int>(bound_.kernel.buffers.size());
  return place >= first && place < first + static_cast<int>(bound_.kernel.tiles.size());
}

void Addresses::place_tile(const std::string& name, const std::vector<Index>& begin, const std::vector<Index>& count) {
  if (tiles_.contains(name)) return;
  const ir::Kernel& kernel = bound_.kernel;
  const ir::Tile& tile = kernel.tiles[static_cast<size_t>(kernel.place_of(name)) - kernel.buffers.size()];
  TilePlace place{begin, count, scratch_};
  for (size_t d = 0; d < tile.axes.size(); ++d)
    if (tile.ring && tile.ring->axis == tile.axes[d]) {
      place.begin[d] = 0;
      place.count[d] = tile.ring->rows;
    }
  Index bytes = ir::product(place.count) * static_cast<int64_t>(ir::size_of(tile.dtype)) + kSlackBytes;
  for (const Index& extent : place.count)
    HONE_CHECK(extent.axes().empty(), "the size of tile {} depends on an axis: {}", name, extent.text());
  scratch_ = scratch_ + ir::ceil_div(bytes, 64) * 64;
  tiles_.emplace(name, std::move(place));
}

const Addresses::TilePlace& Addresses::placed(const std::string& tile) const {
  auto found = tiles_.find(tile);
  HONE_CHECK(found != tiles_.end(), "tile {} is read before it is written", tile);
  return found->second;
}

Index Addresses::elements(const std::string& tile) const {
  return ir::product(placed(tile).count);
}
Index Addresses::byte_offset(const std::string& tile) const {
  return placed(tile).byte_offset;
}

Index Addresses::buffer_offset(size_t buffer, const std::vector<Index>& index) const {
  return ir::element_offset(layouts_[buffer], bound_.kernel.buffers[buffer].shape, index);
}

Index Addresses::merge(Index offset) const {
  for (const ir::MergedAxis& pair : bound_.merged) {
    if (!offset.uses_axis(pair.outer) && !offset.uses_axis(pair.inner)) continue;
    auto outer = offset.linear_in(pair.outer);
    auto inner = offset.linear_in(pair.inner);
    HONE_CHECK(outer && inner && outer->first == inner->first * pair.inner_extent,
               "axes {} and {} are not one run in {}", pair.outer, pair.inner, offset.text());
    offset = outer->second;
  }
  return offset;
}

Index Addresses::offset(int place, const std::vector<Index>& index, const std::map<std::string, Index>& values) const {
  const ir::Kernel& kernel = bound_.kernel;
  if (!is_tile(place)) return merge(buffer_offset(static_cast<size_t>(place), index)).substitute(values);
  const ir::Tile& tile = kernel.tiles[static_cast<size_t>(place) - kernel.buffers.size()];
  const TilePlace& where = placed(tile.name);
  Index offset = 0, stride = 1;
  for (size_t d = tile.axes.size(); d-- > 0;) {
    Index position = index[d].substitute(values) - where.begin[d];
    if (tile.ring && tile.ring->axis == tile.axes[d]) position = ir::mod(position, where.count[d]);
    offset = offset + position * stride;
    stride = stride * where.count[d];
  }
  return offset;
}

bool Addresses::padded_along(int place, const std::vector<Index>& index, const std::string& axis,
                             int64_t points) const {
  if (is_tile(place)) return true;
  const auto& parts = layouts_[static_cast<size_t>(place)].parts;
  const layout::Part& last = parts.empty() ? layout::Part{} : parts.back();
  if (last.modulo == 0 || last.divide != 1) return false;
  const int64_t block = layout::block_of(layouts_[static_cast<size_t>(place)], last.dim);
  if (block % points != 0) return false;
  for (size_t d = 0; d < index.size(); ++d) {
    if (!index[d].uses_axis(axis)) continue;
    auto linear = index[d].linear_in(axis);
    if (static_cast<int>(d) != last.dim || !linear || !linear->first.is(1)) return false;
    if (!ir::mod(linear->second, block).is(0)) return false;
  }
  return true;
}

}  // namespace hone::lower
