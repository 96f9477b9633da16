#include "cost/grid/nest.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "cost/grid/traffic.h"
#include "cost/group/register_tiles.h"

namespace hone::cost {
namespace {

// What part of the time that a byte takes from the level below one core waits for it, beside what runs meanwhile.
constexpr double kWaitL2 = 0.09, kWaitL3 = 1.44, kWaitMemory = 1.4;
constexpr double kTaskSlack = 1.5;  // a task also finds its first operands far away
// The last task ends late by this part of it: cores are never equally fast.
constexpr double kLateShare = 0.12;
constexpr double kLoopCycles = 8;         // of entering and leaving an innermost loop
constexpr double kCyclesOfAPoint = 0.25;  // of a group that is not the contraction
// Register tiles that lose more than this against the best are not worth a look at what they read.
constexpr double kTileSlack = 1.15;
constexpr size_t kMostTiles = 3;

int axis_number(const ir::Kernel& kernel, const std::string& name) {
  for (size_t a = 0; a < kernel.axes.size(); ++a)
    if (kernel.axes[a].name == name) return static_cast<int>(a);
  return -1;
}

// Everything about the kernel that no candidate changes.
class NestModel {
 public:
  NestModel(const ir::Kernel& kernel, size_t main, const Use& use, const target::Target& target,
            const ir::GroupPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan) {
    auto groups = ir::groups_of(kernel);
    main_ = groups[main];
    extents_.assign(kernel.axes.size(), 1);
    for (const ir::Group* group : groups)
      for (const auto* axes : {&group->parallel, &group->over})
        for (const ir::GroupAxis& axis : *axes) {
          int number = axis_number(kernel, axis.axis);
          extents_[static_cast<size_t>(number)] = std::max<int64_t>(1, extent_of(kernel, use, axis.axis));
        }
    for (const ir::Stmt& stmt : main_->inner) reductions_ += stmt.combine != ir::Combine::None;
    find_touched();
    for (const ir::Group* group : groups)
      if (group != main_) others_.push_back(group);
  }

  int64_t extent(const std::string& axis) const { return extents_[static_cast<size_t>(axis_number(kernel_, axis))]; }

  int64_t grain(const std::string& axis) const { return grain_of(plan_, axis); }

  bool is_vector(const std::string& axis) const { return axis == plan_.vector_axis; }

  bool certain(const std::string& axis) const { return is_certain(kernel_, use_, axis); }

  Considered cycles(const std::vector<GridAxis>& grid, const std::vector<std::string>& parallel_order) const {
    std::vector<NestLoop> loops;
    std::vector<int64_t> spans = extents_;
    Considered result;
    auto enter = [&](const std::string& name, int64_t step) {
      int axis = axis_number(kernel_, name);
      int64_t& span = spans[static_cast<size_t>(axis)];
      step = std::min(step, span);
      double count = std::ceil(static_cast<double>(span) / static_cast<double>(step));
      loops.push_back({axis, step, count});
      span = step;
      return count;
    };
    for (const GridAxis& axis : grid) result.tasks *= enter(axis.axis, axis.step);
    result.others = others(spans) + kTaskSlack * target_.figures.task_cycles;
    result.products = register_tiles(spans);
    for (const std::string& axis : parallel_order) enter(axis, grain(axis));
    for (const std::string& axis : plan_.order)
      if (!is_parallel(axis)) enter(axis, 1);
    const target::Figures& speed = target_.figures;
    Traffic moved = traffic_of(touched_, loops, extents_, target_);
    result.l2 = kWaitL2 / speed.l2_bytes_per_cycle * moved.into_l1 / result.tasks;
    result.l3 = kWaitL3 / speed.l3_bytes_per_cycle * moved.into_l2 / result.tasks;
    result.memory = kWaitMemory / speed.memory_bytes_per_cycle * moved.into_l3 / result.tasks;
    // All of that was for a task.
    double rounds = std::ceil(result.tasks / target_.cores) + (target_.cores > 1 ? kLateShare : 0);
    for (double* part : {&result.products, &result.others, &result.l2, &result.l3, &result.memory}) {
      *part *= rounds;
      result.total += *part;
    }
    return result;
  }

  bool is_parallel(const std::string& axis) const {
    return std::any_of(main_->parallel.begin(), main_->parallel.end(),
                       [&](const ir::GroupAxis& a) { return a.axis == axis; });
  }

 private:
  void find_touched() {
    auto touch = [&](int place, const std::vector<ir::Index>& index) {
      if (place < static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size()))
        touched_.emplace_back(kernel_, use_, place, index, plan_.order.back());
    };
    for (const auto* stmts : {&main_->inner, &main_->outer})
      for (const ir::Stmt& stmt : *stmts) {
        for (const ir::Access& access : stmt.accesses) touch(access.operand, access.index);
        if (!stmt.at.empty()) touch(kernel_.place_of(stmt.result), stmt.at);
      }
  }

  double points_of(const std::vector<ir::GroupAxis>& axes, const std::vector<int64_t>& spans) const {
    double points = 1;
    for (const ir::GroupAxis& axis : axes)
      points *= static_cast<double>(spans[static_cast<size_t>(axis_number(kernel_, axis.axis))]);
    return points;
  }

  // Cycles of all register tiles of a task.
  double register_tiles(const std::vector<int64_t>& spans) const {
    double depth = points_of(main_->over, spans), strips = 1, tiles_of_strip = 1, rows = 1;
    int64_t columns = plan_.lanes, vectors = 1;
    for (const ir::GroupAxis& axis : main_->parallel) {
      const int64_t points = spans[static_cast<size_t>(axis_number(kernel_, axis.axis))], held = grain(axis.axis);
      const double count = std::ceil(static_cast<double>(points) / static_cast<double>(held));
      if (axis.axis == plan_.vector_axis) {
        columns = points;
        vectors = held / plan_.lanes;
        tiles_of_strip = count;
        continue;
      }
      strips *= count;
      if (held > 1) rows = static_cast<double>(points) / count;
    }
    double innermost = static_cast<double>(spans[static_cast<size_t>(axis_number(kernel_, plan_.order.back()))]);
    double entries = kLoopCycles * depth / innermost;
    return strips *
           (strip_cycles(rows, columns, vectors, plan_.lanes, std::max(1, reductions_), depth, target_.figures) +
            tiles_of_strip * entries);
  }

  double others(const std::vector<int64_t>& spans) const {
    double cycles = 0;
    for (const ir::Group* group : others_)
      cycles += kCyclesOfAPoint * points_of(group->parallel, spans) * points_of(group->over, spans) *
                static_cast<double>(group->inner.size() + group->outer.size());
    return cycles;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  const ir::GroupPlan plan_;
  const ir::Group* main_ = nullptr;
  std::vector<const ir::Group*> others_;
  std::vector<Touched> touched_;
  std::vector<int64_t> extents_;  // by axis; 1 where an axis is merged away
  int reductions_ = 0;
};

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
  Search(const NestModel& model, std::vector<GridAxis> grid, std::vector<std::string> order, Tell tell)
      : model_(model), grid_(std::move(grid)), order_(std::move(order)), tell_(std::move(tell)) {}

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
    Considered now = model_.cycles(grid_, order_);
    if (tell_) tell_(grid_, now.total);
    if (best_grid_.empty() || now.total < best_.total * 0.999) best_ = std::move(now), best_grid_ = grid_;
  }

  const NestModel& model_;
  std::vector<GridAxis> grid_, best_grid_;
  std::vector<std::string> order_;
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
  // Taps that are laid out in full have the tile that shares their loads.
  if (planned.unroll > 1 || planned.lanes == 1) return {planned};
  std::vector<ir::GroupPlan> candidates;
  auto tiles = register_tiles(Space{kernel, group, use, target}, planned.vector_axis, planned.lanes);
  for (const RegisterTile& tile : tiles) {
    if (tile.cycles > tiles.front().cycles * kTileSlack || candidates.size() == kMostTiles) break;
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
    if (fixed)
      grid.push_back({nest.axis, "", *fixed});
    else if (symbols.size() == 1 && !use.sizes.contains(symbols[0]) && nest.step == ir::Index::symbol(symbols[0]))
      grid.push_back({nest.axis, symbols[0], 1});
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
  for (const ir::GroupPlan& group : candidates_of(kernel, main, planned, use, target)) {
    NestModel model(kernel, main, use, target, group);
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
  Considered priced = model.cycles(grid, order);
  priced.choice = choice_text(group, order, grid);
  return priced;
}

}  // namespace hone::cost
