#include "lower/lower.h"

#include "lower/group.h"

namespace hone::lower {
namespace {

using namespace ir::loop;
using ir::Index;

// Walks the block graph and emits its loops. Ranges are those of the axes at the current position.
class NestLowering {
 public:
  NestLowering(Emitter& emitter, Addresses& addresses, const ir::Kernel& kernel, const ir::KernelPlan& plan)
      : emitter_(emitter), addresses_(addresses), kernel_(kernel), plan_(plan) {
    for (const ir::Axis& axis : kernel.axes) ranges_.insert_or_assign(axis.name, AxisRange{0, axis.extent});
  }

  // The grid: one loop over the flattened tasks, from which the tile of each grid axis follows.
  Index grid(const std::vector<ir::Node>& nodes) {
    std::vector<const ir::Nest*> nests;
    const std::vector<ir::Node>* inside = &nodes;
    while (inside->size() == 1 && std::holds_alternative<std::shared_ptr<const ir::Nest>>((*inside)[0])) {
      const ir::Nest* nest = std::get<std::shared_ptr<const ir::Nest>>((*inside)[0]).get();
      if (!nest->grid) break;
      nests.push_back(nest);
      inside = &nest->body;
    }
    std::vector<Index> counts;
    for (const ir::Nest* nest : nests) counts.push_back(ir::ceil_div(kernel_.extent(nest->axis), nest->step));
    Index tasks = ir::product(counts);
    for (Index& count : counts)
      if (count.is(0)) count = 1;  // no task runs, but its numbers must be well formed
    emitter_.loop("task", Index::axis("task_begin"), Index::axis("task_end"), 1, [&] {
      Index left = Index::axis("task");
      std::vector<Index> positions(nests.size());
      for (size_t k = nests.size(); k-- > 0;) {
        Index count = k > 0 ? emitter_.let_index("count", counts[k]) : counts[k];
        positions[k] = count.is(1) ? Index(0) : left;
        if (k > 0) positions[k] = emitter_.let_index(nests[k]->axis + "_g", ir::mod(left, count));
        if (k > 0) left = emitter_.let_index("left", ir::floor_div(left, count));
      }
      for (size_t k = 0; k < nests.size(); ++k) open(*nests[k], positions[k]);
      body(*inside);
    });
    return tasks;
  }

 private:
  // Narrows the axis to its tile number `position`.
  void open(const ir::Nest& nest, const Index& position) {
    AxisRange outer = ranges_.at(nest.axis);
    Index lo = outer.lo + position * nest.step;
    // Tiles that divide their axis evenly are all whole.
    bool even = ir::mod(outer.hi - outer.lo, nest.step).is(0);
    Index hi = even ? lo + nest.step : emitter_.let_index(nest.axis + "_end", ir::min(lo + nest.step, outer.hi));
    ranges_.insert_or_assign(nest.axis, AxisRange{lo, hi, nest.step});
    counts_[nest.axis] = nest.step;
  }

  void body(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      if (const auto* group = std::get_if<ir::Group>(&node))
        lower_group(*group);
      else
        lower_nest(*std::get<std::shared_ptr<const ir::Nest>>(node));
    }
  }

  void lower_nest(const ir::Nest& nest) {
    for (const ir::State& state : nest.states) initialise(state);
    AxisRange outer = ranges_.at(nest.axis);
    const auto outer_counts = counts_;
    Index hi = outer.hi;
    if (nest.until) hi = emitter_.let_index(nest.axis + "_until", ir::min(hi, here(*nest.until)));
    std::string counter = emitter_.fresh(nest.axis + "_n");
    emitter_.loop(counter, 0, ir::ceil_div(hi - outer.lo, nest.step), 1, [&] {
      ranges_.insert_or_assign(nest.axis, AxisRange{outer.lo, hi});
      open(nest, Index::axis(counter));
      loops_[nest.axis] = {counter, nest.step};
      body(nest.body);
      loops_.erase(nest.axis);
    });
    ranges_.insert_or_assign(nest.axis, outer);
    counts_ = outer_counts;
  }

  // An index over the kernel's axes, each standing for the begin of its tile.
  Index here(const Index& index) const {
    std::map<std::string, Index> begins;
    for (const auto& [axis, range] : ranges_) begins.insert_or_assign(axis, range.lo);
    return index.substitute(begins);
  }

  void place(const std::string& name, const AxisRanges& full) {
    const ir::Tile& tile = kernel_.tiles[static_cast<size_t>(kernel_.place_of(name)) - kernel_.buffers.size()];
    std::vector<Index> begin, count;
    for (const std::string& axis : tile.axes) {
      begin.push_back(full.at(axis).lo);
      auto opened = counts_.find(axis);
      Index extent = opened != counts_.end() ? opened->second : kernel_.extent(axis);
      bool own = ranged_.contains(axis);
      count.push_back(own ? full.at(axis).hi - full.at(axis).lo : extent);
    }
    addresses_.place_tile(name, begin, count);
  }

  void initialise(const ir::State& state) {
    ranged_.clear();
    place(state.tile, ranges_);
    int number = kernel_.place_of(state.tile);
    Expr value = constant_value(state.init);
    int lanes = static_cast<int>(64 / ir::size_of(kernel_.place_type(number)));
    std::string name = emitter_.fresh("fill");
    emitter_.loop(name, 0, addresses_.elements(state.tile), lanes,
                  [&] { emitter_.append(store(number, variable(name, {}), broadcast(value, lanes))); });
  }

  void lower_group(const ir::Group& group) {
    AxisRanges full = ranges_, actual = ranges_;
    ranged_.clear();
    for (const auto* axes : {&group.parallel, &group.over})
      for (const ir::GroupAxis& axis : *axes) {
        if (!axis.range) continue;
        ranged_.insert(axis.axis);
        AxisRange asked{here(axis.range->first), here(axis.range->second)};
        full.insert_or_assign(axis.axis, asked);
        Index lo = ir::max(asked.lo, 0), hi = ir::min(asked.hi, kernel_.extent(axis.axis));
        if (axis.carry) lo = carried(axis, lo);
        actual.insert_or_assign(
            axis.axis, AxisRange{emitter_.let_index(axis.axis + "_lo", lo), emitter_.let_index(axis.axis + "_hi", hi)});
      }
    for (const auto* stmts : {&group.inner, &group.outer})
      for (const ir::Stmt& stmt : *stmts)
        if (addresses_.is_tile(kernel_.place_of(stmt.result))) place(stmt.result, full);
    const ir::GroupPlan& plan = plan_.groups[static_cast<size_t>(next_group_++)];
    auto emit = [&] { GroupLowering(emitter_, addresses_, kernel_, group, plan, actual).emit(); };
    if (plan_.groups.size() == 1) return emit();
    emitter_.append(part(emitter_.inside(emit)));
  }

  // After the first iteration of the carrying loop, only what the previous one did not reach is new.
  Index carried(const ir::GroupAxis& axis, const Index& lo) {
    const auto& [counter, step] = loops_.at(*axis.carry);
    Index previous_end = here(axis.range->second).substitute({{counter, Index::axis(counter) - 1}});
    Expr first = binary(BinaryOp::Equal, variable(counter, {}), int_constant(0));
    std::string name = emitter_.fresh(axis.axis + "_new");
    Index later = ir::max(lo, previous_end);
    emitter_.append(assign(name, select(first, emitter_.scalar(lo), emitter_.scalar(later))));
    return Index::axis(name);
  }

  Emitter& emitter_;
  Addresses& addresses_;
  const ir::Kernel& kernel_;
  const ir::KernelPlan& plan_;
  AxisRanges ranges_;
  std::map<std::string, Index> counts_;  // opened axes: points of the innermost open tile
  std::map<std::string, std::pair<std::string, Index>> loops_;
  std::set<std::string> ranged_;  // axes with a range of their own in the group at hand
  int next_group_ = 0;
};

}  // namespace

Result<Lowered> lower(const ir::Kernel& kernel, const ir::KernelPlan& plan) {
  HONE_PASS(ir::validate(plan, kernel));
  HONE_TRY(ir::Bound bound, ir::bind(kernel, plan));
  Lowered result;
  result.symbols = bound.kernel.symbols({});
  Emitter emitter(result.symbols);
  Addresses addresses(bound, plan);
  NestLowering nests(emitter, addresses, bound.kernel, plan);
  result.function.body = emitter.inside([&] { result.tasks = nests.grid(bound.kernel.body); });
  result.scratch_bytes = addresses.scratch_bytes();
  result.function.name = kernel.name;
  result.function.sizes = result.symbols;
  for (const ir::Buffer& buffer : kernel.buffers)
    result.function.buffers.push_back({buffer.name, buffer.dtype, false, nullptr});
  for (const ir::Tile& tile : kernel.tiles)
    result.function.buffers.push_back({tile.name, tile.dtype, true, emitter.scalar(addresses.byte_offset(tile.name))});
  return result;
}

}  // namespace hone::lower
