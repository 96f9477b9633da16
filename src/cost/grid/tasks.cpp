#include "cost/grid/tasks.h"

#include <algorithm>

#include "cost/group/group_space.h"

namespace hone::cost {
namespace {

using ir::Index;

struct OpenAxis {
  std::string axis, parameter;
  bool grid = false;
};

struct Opened {
  std::vector<OpenAxis> open;
  bool carries = false;  // a loop whose step is open passes over tiles of the task again and again
  int64_t fixed_tasks = 1;
};

void collect(const std::vector<ir::Node>& nodes, const Use& use, const ir::Kernel& kernel, Opened& opened,
             bool carried = false) {
  for (const ir::Node& node : nodes) {
    const auto* nest = std::get_if<std::shared_ptr<const ir::Nest>>(&node);
    if (!nest) continue;
    auto symbols = (*nest)->step.symbols();
    if (symbols.size() == 1 && !use.sizes.contains(symbols[0]))
      opened.open.push_back({(*nest)->axis, symbols[0], (*nest)->grid});
    else if ((*nest)->grid && (*nest)->step.constant()) {
      int64_t step = *(*nest)->step.constant();
      opened.fixed_tasks *= std::max<int64_t>(1, (extent_of(kernel, use, (*nest)->axis) + step - 1) / step);
    }
    const bool carried_here = carried || !(*nest)->states.empty();
    opened.carries |= carried_here && !(*nest)->step.constant();
    collect((*nest)->body, use, kernel, opened, carried_here);
  }
}

// Points of an axis that is read along while another is written along: runs long enough to be fetched ahead, of which as many
// lines as there are points wait in the nearest caches to be filled.
constexpr int64_t kTurnedPoints = 256;

class Tiling {
 public:
  Tiling(const ir::Kernel& kernel, const Use& use, const target::Target& target, const ir::KernelPlan& plan)
      : kernel_(kernel), use_(use), target_(target), plan_(plan) {
    auto groups = ir::groups_of(kernel);
    for (size_t g = 0; g < groups.size(); ++g) {
      double points = points_of(*groups[g]);
      if (points >= work_) main_ = groups[g], main_plan_ = &plan.groups[g], work_ = points;
    }
  }

  int64_t extent(const std::string& axis) const { return std::max<int64_t>(1, extent_of(kernel_, use_, axis)); }

  bool certain(const std::string& axis) const { return is_certain(kernel_, use_, axis); }

  int64_t grain(const std::string& axis) const { return grain_of(*main_plan_, axis); }

  int64_t tasks_wanted() const {
    // Less work than this costs more to hand over than to do.
    double grain_work = contraction() ? 131072 : 16384;
    int64_t most = int64_t{4} * target_.cores;
    return std::clamp<int64_t>(static_cast<int64_t>(work_ / grain_work), 1, most);
  }

  // Points of the axis whose operands and tiles, apart from weights, fill half of the second-level cache.
  int64_t cache_cap(const std::string& axis) const {
    double bytes = 0;
    for (const ir::Stmt& stmt : main_->inner)
      for (const ir::Access& access : stmt.accesses) {
        if (use_.weights.contains(kernel_.place_name(access.operand))) continue;
        bool uses = false;
        double footprint = 4;
        for (const Index& index : access.index)
          for (const std::string& name : index.axes()) {
            if (name == axis)
              uses = true;
            else if (!Space::is_single(kernel_.body, name) && kernel_.extent(name).constant().value_or(64) > 11)
              footprint *= static_cast<double>(extent(name));
          }
        if (uses) bytes += footprint;
      }
    if (bytes == 0) return INT64_MAX;
    return std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(target_.l2_bytes) / 2 / bytes));
  }

  // The step of an axis along which vectors run in any group: whole register tiles of each.
  int64_t vector_grain(const std::string& axis) const {
    int64_t grain = 1;
    auto groups = ir::groups_of(kernel_);
    for (size_t g = 0; g < groups.size(); ++g)
      if (const ir::GroupPlan& group = plan_.groups[g];
          group.vector_axis == axis && (is_contraction(*groups[g]) || groups[g] == main_))
        grain = std::max(grain, grain_of(group, axis));
    return grain;
  }

  // Points of the axis whose tiles stay near, where axes of loops have the steps that are chosen: in the first-level cache, or, if
  // register tiles read them and every task reads and turns the loop's operands anew, in a quarter of the second.
  int64_t tile_cap(const std::string& axis, const std::map<std::string, int64_t>& steps) const {
    const int64_t bytes = tile_bytes_of_point(kernel_, use_, axis, steps);
    const int64_t room = contraction() ? std::max(target_.l1_bytes, target_.l2_bytes / 4) : target_.l1_bytes;
    return bytes == 0 ? INT64_MAX : std::max<int64_t>(1, room / bytes);
  }

  // What is read once, a few rows beside each other: from memory as many as are fetched ahead at a time, from caches so many that
  // what is kept between passes costs little, but no more than find room in the nearest one beside what is fetched ahead.
  int64_t rows_of_a_pass(const std::string& axis) const {
    constexpr int64_t kRowsFromMemory = 8, kRowsFromCaches = 32;
    int64_t rows = kRowsFromCaches;
    for (const ir::Stmt& stmt : main_->inner)
      for (const ir::Access& access : stmt.accesses) {
        if (access.operand >= static_cast<int>(kernel_.buffers.size())) continue;
        const ir::Buffer& buffer = kernel_.buffers[static_cast<size_t>(access.operand)];
        if (comes_from_memory(buffer, use_, target_)) return kRowsFromMemory;
        const int64_t row = step_of(use_, buffer, access.index, axis).value_or(0);
        if (collide(row * static_cast<int64_t>(ir::size_of(buffer.dtype))))
          rows = std::min(rows, ways_of_nearest_cache(target_) / 2);
      }
    return rows;
  }

  // Where the axis stands in the loops of a group that reduces nothing.
  std::ptrdiff_t position(const std::string& axis) const {
    const auto& order = main_plan_->order;
    return main_->over.empty() ? std::find(order.begin(), order.end(), axis) - order.begin() : 0;
  }

  // Memory is read along this axis and written along that of the vectors.
  bool turns(const std::string& axis) const { return ir::turns(*main_plan_, *main_, axis); }
  bool is_vector(const std::string& axis) const { return axis == main_plan_->vector_axis; }
  bool contraction() const { return is_contraction(*main_); }
  bool reduces() const { return !main_->over.empty(); }

  // The number of the main group, if it is a contraction whose vectors lie along a parallel axis.
  std::optional<size_t> contraction_along_parallel() const {
    if (!contraction() || std::none_of(main_->parallel.begin(), main_->parallel.end(),
                                       [&](const ir::GroupAxis& a) { return is_vector(a.axis); }))
      return std::nullopt;
    return static_cast<size_t>(main_plan_ - plan_.groups.data());
  }

 private:
  double points_of(const ir::Group& group) const {
    double points = 1;
    for (const auto* axes : {&group.parallel, &group.over})
      for (const ir::GroupAxis& axis : *axes) points *= static_cast<double>(extent(axis.axis));
    return points;
  }

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  const ir::KernelPlan& plan_;
  const ir::Group* main_ = nullptr;
  const ir::GroupPlan* main_plan_ = nullptr;
  double work_ = -1;
};

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// All passes of a loop alike.
int64_t loop_step(int64_t extent, int64_t grain, int64_t most) {
  int64_t passes = (extent + most - 1) / most;
  return round_up((extent + passes - 1) / passes, grain);
}

// What a loop carries over its passes stays near. Pieces are of almost equal size, and a few for each core or as many for all.
int64_t carried_step(const Tiling& tiling, const std::string& axis, const std::map<std::string, int64_t>& loops,
                     int64_t tasks, int64_t cores) {
  constexpr int64_t kTasksOfACore = 4;
  const int64_t extent = tiling.extent(axis), grain = tiling.vector_grain(axis);
  const int64_t cap = std::max<int64_t>(tiling.tile_cap(axis, loops), grain);
  int64_t pieces = (extent + cap - 1) / cap;
  while (pieces * grain < extent && tasks * pieces < kTasksOfACore * cores && tasks * pieces % cores != 0) ++pieces;
  return round_up((extent + pieces - 1) / pieces, grain);
}

}  // namespace

std::vector<Considered> choose_tiles(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                     ir::KernelPlan& plan, std::vector<Judged>* judged) {
  Opened opened;
  collect(kernel.body, use, kernel, opened);
  std::vector<OpenAxis>& open = opened.open;
  int64_t tasks = opened.fixed_tasks;
  if (open.empty()) return {};
  Tiling tiling(kernel, use, target, plan);
  if (auto main = tiling.contraction_along_parallel())
    if (auto grid = plain_grid(kernel, *ir::groups_of(kernel)[*main], use))
      return choose_nest(kernel, *main, *grid, use, target, plan, judged);
  // Axes that are not the vector axis are cut first: cutting the vector axis makes every task read the same rows again. Of the
  // others outer ones are.
  std::stable_sort(open.begin(), open.end(), [&](const OpenAxis& a, const OpenAxis& b) {
    return std::pair(tiling.is_vector(a.axis), tiling.position(a.axis)) <
           std::pair(tiling.is_vector(b.axis), tiling.position(b.axis));
  });
  int64_t wanted = tiling.tasks_wanted();
  std::map<std::string, int64_t> loops;  // axis → step
  for (const OpenAxis& axis : open)
    if (!axis.grid) {
      const int64_t most = tiling.contraction() ? kPassPoints : tiling.rows_of_a_pass(axis.axis);
      int64_t step = loop_step(tiling.extent(axis.axis), tiling.grain(axis.axis), most);
      loops[axis.axis] = plan.parameters.emplace(axis.parameter, step).first->second;
    }
  for (const OpenAxis& axis : open) {
    if (plan.parameters.contains(axis.parameter)) continue;
    if (opened.carries) {
      plan.parameters[axis.parameter] = carried_step(tiling, axis.axis, loops, tasks, target.cores);
      continue;
    }
    int64_t extent = tiling.extent(axis.axis), grain = tiling.grain(axis.axis);
    int64_t pieces = 1;
    if (tiling.contraction()) {
      int64_t cap = std::max(grain, tiling.cache_cap(axis.axis));
      pieces = cap >= extent ? 1 : (extent + cap - 1) / cap;
    }
    if (tiling.turns(axis.axis)) pieces = (extent + kTurnedPoints - 1) / kTurnedPoints;
    int64_t enough = tiling.is_vector(axis.axis) && tiling.reduces() ? std::min<int64_t>(wanted, target.cores) : wanted;
    int64_t most = (extent + grain - 1) / grain;
    while (tasks * pieces < enough && pieces < most) ++pieces;
    const bool whole_tiles = tiling.is_vector(axis.axis) || tiling.turns(axis.axis);
    // Even pieces, if there are any nearby: every task is then the same code.
    for (int64_t even = pieces; tiling.certain(axis.axis) && pieces > 1 && even <= std::min(2 * pieces, most); ++even)
      if (extent % even == 0 && (tasks * even) % target.cores == 0 && (!whole_tiles || extent / even % grain == 0)) {
        pieces = even;
        break;
      }
    int64_t step = (extent + pieces - 1) / pieces;
    if (extent % step != 0 || whole_tiles || !tiling.certain(axis.axis)) step = round_up(step, grain);
    plan.parameters[axis.parameter] = step;
    tasks *= (extent + step - 1) / step;
  }
  return {};
}

std::optional<Considered> price_tiles(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                      const ir::KernelPlan& plan) {
  auto main = Tiling(kernel, use, target, plan).contraction_along_parallel();
  if (!main) return std::nullopt;
  auto grid = plain_grid(kernel, *ir::groups_of(kernel)[*main], use);
  if (!grid) return std::nullopt;
  return price_nest(kernel, *main, *grid, use, target, plan);
}

}  // namespace hone::cost
