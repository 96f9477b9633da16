#include "cost/group/window_tiles.h"

namespace hone::cost {
namespace {

using ir::Index;

// A tile holds its accumulators and as many vectors of the operand; several rows, along an axis that the taps move as well,
// share what they load. Vectors along the window itself are best with two of them to a row.
constexpr int64_t kWindowVectors = 7;
// What is read at every other place is held as pairs of vectors until all taps have taken their part of them: fewer rows find room.
constexpr int64_t kAlternateVectors = 5;
// From so many taps on eight vectors, which hide the latency of long chains, are worth a spilled register.
constexpr int64_t kManyTaps = 32;
constexpr int64_t kWindowColumns = 2;
constexpr int64_t kMostTaps = 64;

// The `over` axis that moves an access along the same dimension as this axis does.
std::string tap_along(const Space& space, const ir::Access& access, const std::string& axis) {
  for (const Index& index : access.index)
    for (const ir::GroupAxis& over : space.group.over)
      if (index.uses_axis(axis) && index.uses_axis(over.axis)) return over.axis;
  return "";
}

// The access that moves with the vectors, with the taps and with every parallel axis.
const ir::Access* window_of(const Space& space, const VectorChoice& vector) {
  int64_t taps = 1;
  for (const ir::GroupAxis& axis : space.group.over)
    taps *= space.kernel.extent(axis.axis).constant().value_or(kMostTaps + 1);
  if (space.group.inner.size() != 1 || taps > kMostTaps) return nullptr;
  for (const ir::Access& access : space.group.inner[0].accesses) {
    bool tapped = false, moved = space.stride(access, vector.axis) != Stride::Invariant;
    for (const ir::GroupAxis& axis : space.group.parallel) {
      tapped |= !tap_along(space, access, axis.axis).empty();
      moved &= space.points(axis) == 1 || space.stride(access, axis.axis) != Stride::Invariant;
    }
    if (tapped && moved) return &access;
  }
  return nullptr;
}

struct WindowRows {
  std::string axis, tap;
  int64_t points = 1;
};

// The innermost axis of known length that could give the rows of a tile.
WindowRows rows_of(const Space& space, const VectorChoice& vector, const ir::Access& window) {
  WindowRows rows;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    const std::string tap = tap_along(space, window, axis.axis);
    const int64_t points = space.kernel.extent(axis.axis).constant().value_or(1);
    if (axis.axis != vector.axis && points > 1 && !tap.empty()) rows = {axis.axis, tap, points};
  }
  return rows;
}

}  // namespace

const ir::Access* sharing_window(const Space& space, const VectorChoice& vector) {
  const ir::Access* window = window_of(space, vector);
  if (!window) return nullptr;
  bool shares = !tap_along(space, *window, vector.axis).empty() || rows_of(space, vector, *window).points > 1;
  return shares ? window : nullptr;
}

std::string tile_window(const Space& space, const VectorChoice& vector, const ir::Access& window, ir::GroupPlan& plan) {
  plan.unroll = 1;
  for (const ir::GroupAxis& axis : space.group.over) plan.unroll *= static_cast<int>(space.points(axis));
  const bool alternate = space.stride(window, vector.axis) == Stride::Alternate;
  const int64_t held = alternate ? kAlternateVectors : plan.unroll < kManyTaps ? kWindowVectors : kWindowVectors + 1;
  const WindowRows rows = rows_of(space, vector, window);
  int64_t columns = 1, vectors = 1;
  if (!tap_along(space, window, vector.axis).empty()) columns = rows.points > 1 ? kWindowColumns : held;
  for (const ir::GroupAxis& axis : space.group.parallel)
    if (axis.axis == vector.axis) vectors = (space.points(axis) + vector.lanes - 1) / vector.lanes;
  const int64_t tiles = (vectors + columns - 1) / columns;
  plan.tile[vector.axis] = (vectors + tiles - 1) / tiles;
  if (rows.points > 1) plan.tile[rows.axis] = std::min(rows.points, held / plan.tile[vector.axis]);
  return rows.tap;
}

}  // namespace hone::cost
