#include "cost/group/register_tiles.h"

#include <cmath>

#include "cost/group/templates.h"

namespace hone::cost {
namespace {

// Whether the vectors that live at once in the inner loop have registers: accumulators, the operand of whichever of rows and
// vectors are fewer, and a few of the other operand. Reductions run one after the other, so that their rows are not held.
// With 32 registers a tile that leaves room for loads ahead is as fast as one that fills them, and is never spilled.
bool fits(int rows, int vectors, int reductions, int registers) {
  int held = reductions == 1 ? std::min(rows, vectors) : vectors * reductions;
  int ahead = registers > 16 ? 3 : 1;
  return rows * vectors * reductions + held + ahead <= registers;
}

// A chain of multiply-adds, and loads beside others, take longer than alone by these factors.
constexpr double kChainSlack = 1.25;
constexpr double kLoadSlack = 1.2;
// Instructions that start in a cycle while a second thread shares the core, and those of a step that only count.
constexpr double kSlots = 3.3, kCounting = 1.5;
// Of starting and storing a tile, and of finding each of its rows.
constexpr double kTileCycles = 20, kRowCycles = 4;
constexpr int64_t kEnoughRows = 6;
// Where the number of rows is open there is code for several sizes of tile, and a small one that hides the latency is enough.
constexpr int kOpenRows = 8;
constexpr double kFewTaps = 50;

// The axis whose points share the vector operand, if there is one.
std::string row_axis_of(const Space& space, const std::string& vector_axis) {
  std::string row_axis;
  int64_t rows = 1;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector_axis) continue;
    bool reuses = false;
    for (const ir::Stmt& stmt : space.group.inner)
      for (const ir::Access& access : stmt.accesses)
        reuses |= space.stride(access, vector_axis) != Stride::Invariant &&
                  space.stride(access, axis.axis) == Stride::Invariant;
    int64_t points = space.points(axis);
    // An inner axis with enough points is better than a longer one outside it, which may be a guess at a batch.
    if (reuses && points > 1 && points >= std::min(rows, kEnoughRows)) row_axis = axis.axis, rows = points;
  }
  return row_axis;
}

constexpr int kMostRows = 14, kMostVectors = 4;  // vectors of the full width

// Rows that can be held: those of memory that collide in the nearest cache are no more than its ways.
int most_rows(const Space& space, const std::string& row_axis) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses) {
      if (access.operand >= static_cast<int>(space.kernel.buffers.size())) continue;
      const ir::Buffer& buffer = space.kernel.buffers[static_cast<size_t>(access.operand)];
      if (space.use.weights.contains(buffer.name)) continue;  // packed as it is read
      const int64_t bytes = step_of(space.use, buffer, access.index, row_axis).value_or(0) *
                            static_cast<int64_t>(ir::size_of(buffer.dtype));
      if (collide(bytes)) return static_cast<int>(ways_of_nearest_cache(space.target));
    }
  return kMostRows;
}

// Cycles of one register tile.
double tile_cycles(double rows, double vectors, int reductions, double depth, const target::Figures& figures) {
  double fmas = rows * vectors * reductions;
  double loads = rows + vectors * reductions;
  double step = std::max({fmas / figures.multiply_adds_per_cycle, loads * (kLoadSlack / figures.loads_per_cycle),
                          (fmas + loads + kCounting) / kSlots, figures.multiply_add_latency * kChainSlack});
  return step * depth + kTileCycles + kRowCycles * rows + 2 * fmas;
}

}  // namespace

double strip_cycles(double rows, int64_t points, int64_t vectors, int lanes, int reductions, double depth,
                    const target::Figures& figures) {
  const int64_t needed = (points + lanes - 1) / lanes;
  double whole = static_cast<double>(needed / vectors), left = static_cast<double>(needed % vectors);
  double cycles = whole * tile_cycles(rows, static_cast<double>(vectors), reductions, depth, figures);
  return left > 0 ? cycles + tile_cycles(rows, left, reductions, depth, figures) : cycles;
}

std::vector<RegisterTile> register_tiles(const Space& space, const std::string& vector_axis, int lanes) {
  int reductions = 0;
  for (const ir::Stmt& stmt : space.group.inner) reductions += stmt.combine != ir::Combine::None;
  const double depth = space.depth();
  std::string row_axis = row_axis_of(space, vector_axis);
  int64_t columns = 1, rows = 1;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector_axis) columns = space.points(axis);
    if (axis.axis == row_axis) rows = space.points(axis);
  }
  const bool open = !row_axis.empty() && !is_certain(space.kernel, space.use, row_axis);
  // Vectors that share no operand gain nothing from each other once rows hide the latency, and take as much more code.
  const int most_vectors =
      rows >= kEnoughRows && !has_broadcast(space, vector_axis) ? 1 : kMostVectors * std::max(1, space.lanes() / lanes);
  const target::Figures figures = space.figures(lanes);
  const int rows_held = row_axis.empty() ? kMostRows : most_rows(space, row_axis);
  std::vector<RegisterTile> tiles;
  for (int held_vectors = 1; held_vectors <= most_vectors; ++held_vectors)
    for (int held_rows = 1; held_rows <= rows_held; ++held_rows) {
      if (open && held_rows > kOpenRows) continue;
      if (held_rows > rows || !fits(held_rows, held_vectors, reductions, space.target.vector_registers)) continue;
      // Tiles along the rows are of almost equal size, so the average counts.
      double row_tiles = std::ceil(static_cast<double>(rows) / held_rows);
      double average_rows = static_cast<double>(rows) / row_tiles;
      if (held_rows > std::ceil(average_rows)) continue;  // as many tiles as with fewer rows
      double cycles = strip_cycles(average_rows, columns, held_vectors, lanes, reductions, depth, figures);
      tiles.push_back({row_axis, held_rows, held_vectors, row_tiles * cycles});
    }
  // Fewer rows than vectors read the vector operand more often: they must be better than the others, and have steps enough for it.
  auto has_few_rows = [&](const RegisterTile& tile) { return tile.rows < std::min(tile.vectors, rows); };
  double best = INFINITY;
  for (const RegisterTile& tile : tiles)
    if (!has_few_rows(tile)) best = std::min(best, tile.cycles);
  std::erase_if(
      tiles, [&](const RegisterTile& tile) { return has_few_rows(tile) && (tile.cycles > best || depth < kFewTaps); });
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const RegisterTile& a, const RegisterTile& b) { return a.cycles < b.cycles * 0.999; });
  return tiles;
}

void tile_contraction(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  RegisterTile best = register_tiles(space, vector.axis, vector.lanes).front();
  const std::string& row_axis = best.row_axis;
  plan.tile[vector.axis] = best.vectors;
  if (!row_axis.empty()) plan.tile[row_axis] = best.rows;
  const double depth = space.depth();
  int64_t columns = 1;
  for (const ir::GroupAxis& axis : space.group.parallel)
    if (axis.axis == vector.axis) columns = space.points(axis);
  // The panel of the vector operand stays in the first-level cache while everything that reads it again passes by.
  std::vector<std::string> before, after;
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector.axis || axis.axis == row_axis) continue;
    bool moves_panel = false;
    for (const ir::Stmt& stmt : space.group.inner)
      for (const ir::Access& access : stmt.accesses)
        moves_panel |= space.stride(access, vector.axis) != Stride::Invariant &&
                       space.stride(access, axis.axis) != Stride::Invariant;
    (moves_panel ? before : after).push_back(axis.axis);
  }
  if (!row_axis.empty()) after.push_back(row_axis);
  // Where it does not fit there but all panels fit the second level, the rows stay instead.
  double line = depth * 4;
  double panel = line * static_cast<double>(plan.tile[vector.axis] * vector.lanes);
  bool panel_fits = panel <= static_cast<double>(space.target.l1_bytes);
  bool all_fit = line * static_cast<double>(columns) <= static_cast<double>(space.target.l2_bytes) / 2;
  plan.order = before;
  if (panel_fits || !all_fit) plan.order.push_back(vector.axis);
  plan.order.insert(plan.order.end(), after.begin(), after.end());
  if (!panel_fits && all_fit) plan.order.push_back(vector.axis);
}

}  // namespace hone::cost
