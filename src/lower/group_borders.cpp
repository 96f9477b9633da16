// The part of GroupLowering that keeps borders out of the way: which tiles meet one, and what is done where they do.
#include <algorithm>

#include "lower/group.h"
#include "lower/settled.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

// The unrolled axis of the tile along which the skipped border moves, if there is one.
std::optional<std::string> GroupLowering::border_axis(const Tile& tile, const Skip& skip) const {
  for (const auto& [unrolled, points] : tile.points)
    if (points > 1 && skip.rest.uses_axis(unrolled)) return unrolled;
  return std::nullopt;
}

// True if no point of the tile reads past the border, at whatever point of the over axis.
Expr GroupLowering::inside_border(const Tile& tile, const Skip& skip) {
  const AxisRange& range = ranges_.at(skip.over);
  auto largest = largest_in(skip.rest, points_of(tile));
  HONE_CHECK(largest, "border of {} is not linear: {}", skip.over, skip.rest.text());
  Index first = skip.rest.substitute(tile.begin) + range.lo * skip.step;
  Index last = largest->substitute(tile.begin) + (range.hi - 1) * skip.step;
  return binary(BinaryOp::And, binary(BinaryOp::LessEqual, int_constant(0), emitter_.scalar(first)),
                binary(BinaryOp::Less, emitter_.scalar(last), emitter_.scalar(skip.extent)));
}

// True if a border has taken some points of the over axis from the tile.
bool GroupLowering::is_cut(const Tile& tile, const std::string& over) const {
  return std::any_of(skips_.begin(), skips_.end(), [&](const Skip& skip) {
    return skip.over == over && std::any_of(tile.peeled.begin(), tile.peeled.end(),
                                            [&](const std::string& axis) { return skip.rest.uses_axis(axis); });
  });
}

// Whether the points from `begin` on reach over a border, where that is known and its taps are laid out.
std::optional<bool> GroupLowering::meets_border(const std::string& axis, const Index& begin, int64_t points) const {
  bool meets = false;
  for (const Skip& skip : skips_) {
    if (!skip.rest.uses_axis(axis)) continue;
    const AxisRange& taps = ranges_.at(skip.over);
    auto first = (skip.rest.substitute({{axis, begin}}) + taps.lo * skip.step).constant();
    auto last = (skip.rest.substitute({{axis, begin + (points - 1)}}) + (taps.hi - 1) * skip.step).constant();
    auto extent = skip.extent.constant();
    if (!first || !last || !extent || !laid_out(skip.over)) return std::nullopt;
    meets |= *first < 0 || *last >= *extent;
  }
  return meets;
}

// A run of tiles of equal size, where those that meet a border are known by number and so have code of their own.
void GroupLowering::tiles_with_borders_apart(const std::string& axis, const Index& lo, int64_t tiles, int64_t points,
                                             const EnterApart& enter) {
  constexpr int64_t kMostApart = 4;
  auto begin = [&](const Index& number) { return lo + number * points; };
  auto meets = [&](int64_t number) { return meets_border(axis, begin(number), points); };
  int64_t before = 0, behind = tiles;
  while (before < tiles && meets(before).value_or(false)) ++before;
  while (behind > before && meets(behind - 1).value_or(false)) --behind;
  bool clear = behind > before && meets(before).has_value();
  if (before + tiles - behind > kMostApart) before = 0, behind = tiles, clear = false;
  for (int64_t number = 0; number < before; ++number) enter(begin(number), false);
  if (behind - before == 1) {
    enter(begin(before), clear);
  } else if (behind > before) {
    std::string counter = emitter_.fresh(axis + "_t");
    emitter_.loop(counter, before, behind, 1, [&] { enter(begin(Index::axis(counter)), clear); });
  }
  for (int64_t number = behind; number < tiles; ++number) enter(begin(number), false);
}

// The points of an axis at which no tap is cut off, if the taps that move along it are laid out.
std::optional<AxisRange> GroupLowering::clear_of_borders(const std::string& axis) const {
  const AxisRange& range = ranges_.at(axis);
  AxisRange clear{range.lo, range.hi};
  bool borders = false;
  for (const Skip& skip : skips_) {
    if (!skip.rest.uses_axis(axis)) continue;
    auto linear = skip.rest.linear_in(axis);
    if (!linear || linear->first.constant().value_or(0) <= 0 || !linear->second.axes().empty() || !laid_out(skip.over))
      return std::nullopt;
    const AxisRange& taps = ranges_.at(skip.over);
    const Index first = linear->second + taps.lo * skip.step, last = linear->second + (taps.hi - 1) * skip.step;
    clear.lo = ir::max(clear.lo, ir::ceil_div(-first, linear->first));
    clear.hi = ir::min(clear.hi, ir::ceil_div(skip.extent - last, linear->first));
    borders = true;
  }
  return borders ? std::optional(clear) : std::nullopt;
}

// Points at a border are taken one by one, those between in tiles whose last one reaches back over points that are done.
void GroupLowering::tiles_between_borders(const std::string& axis, const AxisRange& clear, int most,
                                          const Enter& enter) {
  const AxisRange& range = ranges_.at(axis);
  const int fewer = std::max(2, most / 2);
  Index begin = emitter_.let_index(axis + "_clear", ir::min(clear.lo, range.hi));
  Index between = emitter_.let_index(axis + "_between", clear.hi - begin);
  std::string name = emitter_.fresh(axis + "_tiled");
  emitter_.append(assign(name, select(binary(BinaryOp::LessEqual, int_constant(fewer), emitter_.scalar(between)),
                                      emitter_.scalar(between), int_constant(0))));
  const Index tiled = Index::axis(name);
  std::string counter = emitter_.fresh(axis + "_p");
  emitter_.loop(counter, 0, range.hi - range.lo - tiled, 1, [&] {
    std::string single = emitter_.fresh(axis);
    const Index at = range.lo + Index::axis(counter);
    emitter_.append(assign(single, select(binary(BinaryOp::Less, emitter_.scalar(at), emitter_.scalar(begin)),
                                          emitter_.scalar(at), emitter_.scalar(at + tiled))));
    enter(Index::axis(single), 1);
  });
  auto whole = [&] { tiles_of_one_size(axis, begin, tiled, most, enter); };
  if (fewer >= most) return whole();
  emitter_.branch(binary(BinaryOp::LessEqual, int_constant(most), emitter_.scalar(tiled)), whole,
                  [&] { tiles_of_one_size(axis, begin, tiled, fewer, enter); });
}

// The tile reaches over a border: for each point of the over axis, only some points of the unrolled axis are inside.
void GroupLowering::over_bordered(size_t depth, const Tile& tile, const std::map<std::string, Index>& at,
                                  const Alive& alive, const Skip& skip, const std::string& unrolled) {
  const std::string& axis = over_order_[depth];
  int points = tile.points.at(unrolled);
  auto linear = skip.rest.linear_in(unrolled);
  HONE_CHECK(linear && linear->first.constant().value_or(0) > 0, "border of {} is not linear in {}", axis, unrolled);
  int64_t stride = *linear->first.constant();
  Index rest = emitter_.let_index("rest", skip.rest.substitute(tile.begin));
  const AxisRange& range = ranges_.at(axis);
  auto interior = [&] {
    body_.forget_loads();
    laid_out(axis) ? over_laid_out(depth, range, tile, at, alive, nullptr) : over_plain(depth, range, tile, at, alive);
    body_.forget_loads();
  };
  auto border = [&] {
    std::string name = emitter_.fresh(axis);
    emitter_.loop(name, range.lo, range.hi, 1, [&] {
      auto inner = at;
      inner[axis] = Index::axis(name);
      Index position = rest + Index::axis(name) * skip.step;
      Expr lo = emitter_.let("alive_lo", emitter_.scalar(ir::max(0, ir::ceil_div(-position, stride))));
      Expr hi =
          emitter_.let("alive_hi", emitter_.scalar(ir::min(points, ir::ceil_div(skip.extent - position, stride))));
      auto when = [&](int from, int to) {
        return binary(BinaryOp::And, binary(BinaryOp::Equal, lo, int_constant(from)),
                      binary(BinaryOp::Equal, hi, int_constant(to)));
      };
      auto alive_within = [&](int from, int to) {
        Alive cut = alive;
        cut[unrolled] = {from, to};
        return cut;
      };
      auto piece = [&](const Alive& cut) {
        body_.forget_loads();
        over(depth + 1, tile, inner, cut);
        body_.forget_loads();
      };
      auto point_by_point = [&] {
        for (int u = 0; u < points; ++u)
          emitter_.branch(binary(BinaryOp::And, binary(BinaryOp::LessEqual, lo, int_constant(u)),
                                 binary(BinaryOp::Less, int_constant(u), hi)),
                          [&] { piece(alive_within(u, u + 1)); });
      };
      // The usual cases have code of their own: all inside, the reach of one tap cut off at the left, or at the right.
      const int cut = static_cast<int>(std::max<int64_t>(1, skip.step / stride));
      auto cut_right = [&] {
        if (points <= cut) return point_by_point();
        emitter_.branch(when(0, points - cut), [&] { piece(alive_within(0, points - cut)); }, point_by_point);
      };
      auto cut_left = [&] {
        if (points <= cut) return point_by_point();
        emitter_.branch(when(cut, points), [&] { piece(alive_within(cut, points)); }, cut_right);
      };
      emitter_.branch(when(0, points), [&] { piece(alive); }, cut_left);
    });
  };
  if (inside_.contains(axis)) return border();
  emitter_.branch(inside_border(tile, skip), interior, border);
}

}  // namespace hone::lower
