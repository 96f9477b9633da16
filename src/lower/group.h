// Lowers one group: loops over its parallel axes in register tiles, loops over its `over` axes inside, tails and borders.
//
//   for the parallel axes, in the plan's order, tile by tile
//     accumulators = identity
//     for the `over` axes, in the plan's order
//       inner statements at every point of the tile
//     outer statements at every point of the tile
//
// A tile axis of n points and tile t is cut into ceil(n / t) tiles of almost equal size, each size with code of its own. Where
// only the last task has points left over, its last tile reaches back over points that are done, which needs no code for
// other sizes. The vector axis runs in whole vectors, the last one masked or reaching back in the same way, and the last tile
// has as many vectors as it needs. Tiles of known place that meet a border have code of their own.
#pragma once

#include <span>

#include "lower/body.h"
#include "lower/border.h"

namespace hone::lower {

struct AxisRange {
  ir::Index lo, hi;    // [lo, hi), over loop variables and sizes
  ir::Index step = 0;  // if not 0: the points of a whole tile, which every one is but the last
};
using AxisRanges = std::map<std::string, AxisRange>;

class GroupLowering {
 public:
  GroupLowering(Emitter& emitter, const Addresses& addresses, const ir::Kernel& kernel, const ir::Group& group,
                const ir::GroupPlan& plan, const AxisRanges& ranges);
  void emit();

 private:
  // The register tile in hand: how many points of each unrolled axis, where the tile begins.
  struct Tile {
    std::map<std::string, ir::Index> begin;  // every parallel axis
    std::map<std::string, int> points;       // unrolled axes, and the vector axis in vectors
    ir::Index vector_left;                   // points left along the vector axis, if `masked`
    bool masked = false;
    std::set<std::string> clear;   // axes along which it is known to meet no border
    std::set<std::string> peeled;  // axes along which it is a point that was left over at a border
    int64_t reach_back = 0;        // by how many points the last of several vectors overlaps the one before it
  };
  // Which points [lo, hi) of unrolled axes borders leave alive; axes that are absent are whole.
  using Alive = std::map<std::string, std::pair<int, int>>;

  void parallel(size_t depth, Tile tile);
  void parallel_vector(size_t depth, Tile tile);
  void parallel_unrolled(size_t depth, Tile tile);
  using Enter = std::function<void(const ir::Index& begin, int points)>;
  void tiles_of_one_size(const std::string& axis, const ir::Index& lo, const ir::Index& count, int points,
                         const Enter& enter);
  std::optional<AxisRange> clear_of_borders(const std::string& axis) const;
  void tiles_between_borders(const std::string& axis, const AxisRange& clear, int most, const Enter& enter);
  using EnterApart = std::function<void(const ir::Index& begin, bool clear)>;
  void tiles_with_borders_apart(const std::string& axis, const ir::Index& lo, int64_t tiles, int64_t points,
                                const EnterApart& enter);
  std::optional<bool> meets_border(const std::string& axis, const ir::Index& begin, int64_t points) const;
  bool writes_are_unread() const;
  bool may_overlap(const AxisRange& range, int most) const;
  bool may_reach_back() const;
  void whole_tile(const Tile& tile);
  void outer_statements(const Tile& tile);
  void outer_statements_by_mask(const Tile& tile);
  void run_outer(const Tile& tile, bool masked);
  std::vector<std::vector<Point>> runs_of(std::vector<Point> points);
  static std::vector<std::span<const Point>> side_by_side(const std::vector<Point>& points);
  void compute(const ir::Stmt& stmt, std::span<const Point> points);
  std::map<std::string, int64_t> points_of(const Tile& tile) const;
  std::map<std::string, ir::Index> begin_of(const Tile& tile) const;
  void over_tile(const Tile& tile);
  bool can_skip(const Skip& skip) const;
  bool moves_with_lanes(const Skip& skip) const;
  std::optional<std::string> border_axis(const Tile& tile, const Skip& skip) const;
  ir::loop::Expr inside_border(const Tile& tile, const Skip& skip);
  void over_inside(const Tile& tile, const std::map<std::string, bool>& inside);
  bool laid_out(const std::string& over) const;
  bool cuts_known_taps(const Tile& tile, const Skip& skip) const;
  bool is_cut(const Tile& tile, const std::string& over) const;
  void over(size_t depth, const Tile& tile, std::map<std::string, ir::Index> at, const Alive& alive);
  void over_bordered(size_t depth, const Tile& tile, const std::map<std::string, ir::Index>& at, const Alive& alive,
                     const Skip& skip, const std::string& unrolled);
  void over_vector(const std::string& axis, const AxisRange& range, const Tile& tile,
                   const std::map<std::string, ir::Index>& at, const Alive& alive);
  ir::Index points_in_front(const std::string& axis, const ir::Index& count, const AxisRange& range, const Tile& tile,
                            const std::map<std::string, ir::Index>& at);
  void over_masked(const std::string& axis, const ir::Index& first, const ir::Index& from, const ir::Index& to,
                   const Tile& tile, const std::map<std::string, ir::Index>& at, const Alive& alive);
  void over_laid_out(size_t depth, const AxisRange& range, const Tile& tile, const std::map<std::string, ir::Index>& at,
                     const Alive& alive, const Skip* skip);
  void over_plain(size_t depth, const AxisRange& range, const Tile& tile, const std::map<std::string, ir::Index>& at,
                  const Alive& alive);
  void over_innermost(const std::string& axis, const AxisRange& range, const Tile& tile,
                      const std::map<std::string, ir::Index>& at, const Alive& alive);
  bool are_one_run(const std::string& outer, const std::string& inner) const;
  bool is_skipped(const BorderDim& border, const std::string& inner) const;
  using Place = std::map<std::string, ir::Index>;  // over axis → value
  struct InnerPoint {
    Point point;
    std::string accumulator;  // the key of its accumulators
  };
  std::vector<InnerPoint> inner_points(const Tile& tile, const std::vector<Place>& places, const Alive& alive,
                                       int vectors, ir::loop::Expr mask);
  void inner_statements(const Tile& tile, const std::vector<Place>& places, const Alive& alive, int vectors,
                        ir::loop::Expr mask);
  void find_next();
  void point_at_next(size_t depth, const Tile& tile);
  void fetch_next(int64_t steps);
  void reduce_vector(const Tile& tile);
  std::vector<Point> rows_of(const Tile& tile, const Alive& alive) const;
  void for_points(const Tile& tile, const Alive& alive, const std::function<void(Point)>& visit);
  void accumulate(const ir::Stmt& stmt, const Point& point, const std::string& accumulator);

  bool vector_is_over() const;
  bool turns(const std::string& axis) const;
  bool inner_needs_no_mask() const;
  int tile_of(const std::string& axis) const;
  std::string accumulator_name(const ir::Stmt& stmt, const std::string& key) const;

  Emitter& emitter_;
  const ir::Kernel& kernel_;
  const Addresses& addresses_;
  const ir::Group& group_;
  const ir::GroupPlan& plan_;
  const AxisRanges& ranges_;
  Body body_;
  std::vector<std::string> parallel_order_, over_order_;
  std::vector<Skip> skips_;
  AxisRanges shortened_;                // over axes without the points past a border, for the tile at hand
  std::map<std::string, bool> inside_;  // over axes whose border the tile at hand is known to miss, or to meet
  std::string prefix_;                  // of the accumulators
  struct Next {
    const ir::Access* access;
    int64_t elements;    // of a step
    std::string cursor;  // a variable: the offset of what is fetched with the next step
    size_t depth;        // of the outermost parallel loop that reads the same again
  };
  std::vector<Next> next_;
};

}  // namespace hone::lower
