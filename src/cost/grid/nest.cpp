#include "cost/grid/nest.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "cost/grid/nest_model.h"
#include "cost/group/register_tiles.h"
#include "cost/group/templates.h"

namespace hone::cost {
namespace {

// Register tiles that lose more than this against the best are not worth a look at what they read.
constexpr double kTileSlack = 1.15;
constexpr size_t kMostTiles = 4;
// A tile that is no smaller along either side reads less, which is worth this much of the time in registers.
constexpr double kReadsLess = 1.02;

bool makes_needless(const RegisterTile& larger, const RegisterTile& tile) {
  return larger.rows >= tile.rows && larger.vectors >= tile.vectors &&
         (larger.rows > tile.rows || larger.vectors > tile.vectors) && larger.cycles <= kReadsLess * tile.cycles;
}

// Steps that cut the axis into even pieces, from all of it down. Pieces of the vector axis are whole register tiles, because
// weights are packed so, and so are pieces of a guessed size, whose code then needs no other tiles; along the others tiles of
// almost equal size fit any piece.
std::vector<int64_t> steps_of(int64_t extent, int64_t grain, bool vector, bool certain,
                              std::initializer_list<int64_t> pieces) {
  std::vector<int64_t> steps;
  for (int64_t count : pieces) {
    int64_t step = (extent + count - 1) / count;
    if (extent % step != 0 || !certain || (vector && count > 1)) step = (step + grain - 1) / grain * grain;
    if (steps.empty() || step < steps.back()) steps.push_back(step);
    if (step <= grain) break;
  }
  return steps;
}

// Hears of every cut that is judged, with its cycles.
using Tell = std::function<void(const std::vector<GridAxis>&, double)>;

// Tries coarse cuts of all axes together, then finer ones of each.
class Search {
 public:
  Search(NestModel& model, std::vector<GridAxis> grid, const std::vector<std::string>& order, Tell tell)
      : model_(model), grid_(std::move(grid)), order_(model.numbers_of(order)), tell_(std::move(tell)) {}

  void run() {
    coarse(0);
    for (size_t k = 0; k < grid_.size(); ++k) fine(k);
  }

  const Considered& best() const { return best_; }
  const std::vector<GridAxis>& grid() const { return best_grid_; }

 private:
  void coarse(size_t depth) {
    if (depth == grid_.size()) return judge();
    if (grid_[depth].parameter.empty()) return coarse(depth + 1);
    for (int64_t step : steps(depth, {1, 2, 4, 8, 16, 32})) {
      grid_[depth].step = step;
      coarse(depth + 1);
    }
  }

  void fine(size_t k) {
    if (grid_[k].parameter.empty()) return;
    grid_ = best_grid_;
    for (int64_t step : steps(k, {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64})) {
      grid_[k].step = step;
      judge();
    }
  }

  std::vector<int64_t> steps(size_t k, std::initializer_list<int64_t> pieces) const {
    const std::string& axis = grid_[k].axis;
    return steps_of(model_.extent(axis), model_.grain(axis), model_.is_vector(axis), model_.certain(axis), pieces);
  }

  void judge() {
    const double below = best_grid_.empty() ? INFINITY : best_.total * 0.999;
    // Who hears of every cut wants all of its cycles.
    std::optional<Considered> now = model_.cycles(grid_, order_, tell_ ? INFINITY : below);
    if (tell_) tell_(grid_, now->total);
    if (now && now->total < below) best_ = std::move(*now), best_grid_ = grid_;
  }

  NestModel& model_;
  std::vector<GridAxis> grid_, best_grid_;
  std::vector<size_t> order_;
  Tell tell_;
  Considered best_;
};

// The planned order, and those in which the vector axis stands elsewhere among the axes that follow or precede it.
std::vector<std::vector<std::string>> orders_of(const NestModel& model, const ir::GroupPlan& plan) {
  std::vector<std::string> others;
  for (const std::string& axis : plan.order)
    if (model.is_parallel(axis) && axis != plan.vector_axis) others.push_back(axis);
  std::vector<std::vector<std::string>> orders;
  for (size_t at = others.size() + 1; at-- > 0;) {
    orders.push_back(others);
    if (model.is_parallel(plan.vector_axis))
      orders.back().insert(orders.back().begin() + static_cast<std::ptrdiff_t>(at), plan.vector_axis);
  }
  return orders;
}

// The group's plan with each register tile that computes nearly as fast as the best.
std::vector<ir::GroupPlan> candidates_of(const ir::Kernel& kernel, size_t main, const ir::GroupPlan& planned,
                                         const Use& use, const target::Target& target) {
  const ir::Group& group = *ir::groups_of(kernel)[main];
  const Space space{kernel, group, use, target};
  // Taps that are laid out in full have the tile that shares their loads.
  if (planned.lanes == 1 || lays_out_taps(space, planned)) return {planned};
  std::vector<ir::GroupPlan> candidates;
  auto tiles = register_tiles(space, planned.vector_axis, planned.lanes);
  for (const RegisterTile& tile : tiles) {
    if (tile.cycles > tiles.front().cycles * kTileSlack || candidates.size() == kMostTiles) break;
    if (std::any_of(tiles.begin(), tiles.end(), [&](const RegisterTile& t) { return makes_needless(t, tile); }))
      continue;
    candidates.push_back(planned);
    candidates.back().tile[planned.vector_axis] = tile.vectors;
    if (!tile.row_axis.empty()) candidates.back().tile[tile.row_axis] = tile.rows;
  }
  return candidates;
}

// The parallel axes in that order, the others behind them as they are.
ir::GroupPlan with_order(const ir::GroupPlan& group, const std::vector<std::string>& parallel, const NestModel& model) {
  ir::GroupPlan ordered = group;
  ordered.order = parallel;
  for (const std::string& axis : group.order)
    if (!model.is_parallel(axis)) ordered.order.push_back(axis);
  return ordered;
}

std::map<std::string, int64_t> parameters_of(const std::vector<GridAxis>& grid) {
  std::map<std::string, int64_t> parameters;
  for (const GridAxis& axis : grid)
    if (!axis.parameter.empty()) parameters[axis.parameter] = axis.step;
  return parameters;
}

std::string choice_text(const ir::GroupPlan& group, const std::vector<std::string>& order,
                        const std::vector<GridAxis>& grid) {
  std::string text = "tile";
  for (const auto& [axis, points] : group.tile) text += fmt::format(" {}:{}", axis, points);
  text += fmt::format(", order ({})", fmt::join(order, ", "));
  for (const GridAxis& axis : grid)
    if (!axis.parameter.empty()) text += fmt::format(", {} = {}", axis.parameter, axis.step);
  return text;
}

}  // namespace

std::optional<std::vector<GridAxis>> plain_grid(const ir::Kernel& kernel, const ir::Group& main, const Use& use) {
  std::vector<GridAxis> grid;
  const std::vector<ir::Node>* nodes = &kernel.body;
  while (nodes->size() == 1 && std::holds_alternative<std::shared_ptr<const ir::Nest>>((*nodes)[0])) {
    const ir::Nest& nest = *std::get<std::shared_ptr<const ir::Nest>>((*nodes)[0]);
    if (!nest.grid) return std::nullopt;
    auto symbols = nest.step.symbols();
    auto fixed = nest.step.constant();
    const size_t number = axis_number(kernel, nest.axis);
    if (fixed)
      grid.push_back({nest.axis, number, "", *fixed});
    else if (symbols.size() == 1 && !use.sizes.contains(symbols[0]) && nest.step == ir::Index::symbol(symbols[0]))
      grid.push_back({nest.axis, number, symbols[0], 1});
    else
      return std::nullopt;
    nodes = &nest.body;
  }
  bool found = false;
  for (const ir::Node& node : *nodes) {
    const auto* group = std::get_if<ir::Group>(&node);
    if (!group) return std::nullopt;
    found |= group == &main;
    for (const auto* axes : {&group->parallel, &group->over})
      for (const ir::GroupAxis& axis : *axes)
        if (axis.range) return std::nullopt;
  }
  if (!found) return std::nullopt;
  return grid;
}

std::vector<Considered> choose_nest(const ir::Kernel& kernel, size_t main, const std::vector<GridAxis>& grid,
                                    const Use& use, const target::Target& target, ir::KernelPlan& plan,
                                    std::vector<Judged>* judged) {
  const ir::GroupPlan planned = plan.groups[main];
  std::vector<Considered> considered;
  NestModel model(kernel, main, use, target, planned);
  for (const ir::GroupPlan& group : candidates_of(kernel, main, planned, use, target)) {
    model.hold(group);
    for (const std::vector<std::string>& order : orders_of(model, group)) {
      ir::GroupPlan ordered = with_order(group, order, model);
      auto tell = [&](const std::vector<GridAxis>& cut, double cycles) {
        judged->push_back({main, ordered, parameters_of(cut), cycles});
      };
      Search search(model, grid, order, judged ? Tell(tell) : nullptr);
      search.run();
      considered.push_back(search.best());
      considered.back().choice = choice_text(group, order, search.grid());
      if (considered.size() > 1) {
        if (considered.back().total >= considered.front().total * 0.999) continue;
        std::swap(considered.front(), considered.back());
      }
      for (const auto& [parameter, step] : parameters_of(search.grid())) plan.parameters[parameter] = step;
      plan.groups[main] = ordered;
    }
  }
  std::stable_sort(considered.begin() + 1, considered.end(),
                   [](const Considered& a, const Considered& b) { return a.total < b.total; });
  return considered;
}

Considered price_nest(const ir::Kernel& kernel, size_t main, std::vector<GridAxis> grid, const Use& use,
                      const target::Target& target, const ir::KernelPlan& plan) {
  const ir::GroupPlan& group = plan.groups[main];
  NestModel model(kernel, main, use, target, group);
  std::vector<std::string> order;
  for (const std::string& axis : group.order)
    if (model.is_parallel(axis)) order.push_back(axis);
  for (GridAxis& axis : grid)
    if (!axis.parameter.empty()) axis.step = plan.parameters.at(axis.parameter);
  Considered priced = *model.cycles(grid, model.numbers_of(order));
  priced.choice = choice_text(group, order, grid);
  return priced;
}

}  // namespace hone::cost
