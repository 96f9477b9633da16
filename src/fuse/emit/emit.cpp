#include "fuse/emit/emit.h"

#include "fuse/emit/openings.h"

namespace hone::fuse {
namespace {

using ir::Access;
using ir::Combine;
using ir::Group;
using ir::GroupAxis;
using ir::Index;
using ir::Stmt;
using ir::ValueId;

class GroupEmitter {
 public:
  GroupEmitter(const Draft& draft, const Homes& homes, const std::vector<std::string>& tiled, KernelWriter& writer)
      : draft_(draft), homes_(homes), tiled_axes_(tiled), writer_(writer), phases_(phases_of(draft)) {}

  std::vector<ir::Node> emit() {
    for (const auto* axes : {&draft_.rows, &draft_.cols})
      for (const ir::Axis& axis : *axes) writer_.add_axis(axis);
    add_places();
    std::vector<ir::Node> groups;
    for (const Step& step : draft_.steps)
      if (!step.prologue.empty()) add_prologue(step, groups);
    for (int phase = 0; phase < phases_.count; ++phase)
      if (has_group(phase)) groups.push_back(group(phase));
    return groups;
  }

 private:
  void add_places() {
    for (const Step& step : draft_.steps) {
      bool reduces = step.combine != Combine::None;
      auto fresh = [&](const char* stem, ir::DType type) {
        return writer_.add_register(fmt::format("{}{}", stem, writer_.registers()), type);
      };
      if (reduces && step.finish) sums_[step.result] = fresh("s", step.body->type);
      registers_[step.result] = fresh(reduces && !step.finish ? "s" : "v", step.type);
      if (!phases_.tiled.count(step.result)) continue;
      tiles_[step.result] = writer_.add_tile(fmt::format("t{}", writer_.tiles()), step.type, tile_axes(step));
    }
  }

  // The axes of a step's tile: of those that it has points along, the ones that a task sees more than one point of.
  std::vector<std::string> tile_axes(const Step& step) const {
    std::vector<std::string> rows, cols;
    for (const std::string& axis : tiled_axes_)
      if (step.prologue.empty() || lies_along(step, axis)) rows.push_back(axis);
    if (step.point || !step.prologue.empty())
      for (const ir::Axis& axis : draft_.cols) cols.push_back(axis.name);
    if (step.turned) std::swap(rows, cols);
    rows.insert(rows.end(), cols.begin(), cols.end());
    return rows;
  }

  static bool lies_along(const Step& step, const std::string& axis) {
    return std::any_of(step.prologue.begin(), step.prologue.end(),
                       [&](const Index& index) { return index.uses_axis(axis); });
  }

  bool has_group(int phase) const {
    return std::any_of(draft_.steps.begin(), draft_.steps.end(),
                       [&](const Step& step) { return step.prologue.empty() && phases_.of.at(step.result) == phase; });
  }

  // A group of its own, over the points of the operand. What it reads of other operands in the making, it computes again or
  // finds in their tiles.
  void add_prologue(const Step& step, std::vector<ir::Node>& groups) {
    if (!phases_.tiled.count(step.result)) return;
    group_ = {};
    phase_ = 0;
    emitted_.clear();
    for (const auto* axes : {&draft_.rows, &draft_.cols})
      for (const ir::Axis& axis : *axes)
        if (lies_along(step, axis.name)) group_.parallel.push_back(GroupAxis{axis.name, {}, {}});
    emit_step(step);
    keep(step);
    groups.push_back(std::move(group_));
  }

  Group group(int phase) {
    group_ = {};
    phase_ = phase;
    emitted_.clear();
    bool reduces = false;
    for (const Step& step : draft_.steps)
      if (phases_.of.at(step.result) == phase) reduces |= step.combine != Combine::None;
    for (const ir::Axis& axis : draft_.rows) group_.parallel.push_back(GroupAxis{axis.name, {}, {}});
    for (const ir::Axis& axis : draft_.cols)
      (reduces ? group_.over : group_.parallel).push_back(GroupAxis{axis.name, {}, {}});
    for (const Step& step : draft_.steps)
      if (step.prologue.empty() && phases_.of.at(step.result) == phase) emit_step(step);
    for (const Step& step : draft_.steps)
      if (step.prologue.empty() && phases_.of.at(step.result) == phase) keep(step);
    return std::move(group_);
  }

  void emit_step(const Step& step) {
    if (!emitted_.insert(step.result).second) return;
    bool inner = step.point || !step.prologue.empty() || step.combine != Combine::None;
    std::vector<Access> accesses;
    for (const Read& read : step.reads) accesses.push_back(access(read, inner));
    int target = step.finish ? sums_.at(step.result) : registers_.at(step.result);
    (inner ? group_.inner : group_.outer)
        .push_back(writer_.statement(target, {}, step.combine, std::move(accesses), step.body));
    if (!step.finish) return;
    std::vector<Access> after = {Access{target, {}, {}}};
    for (const Read& read : step.after) after.push_back(access(read, false));
    group_.outer.push_back(
        writer_.statement(registers_.at(step.result), {}, Combine::None, std::move(after), step.finish));
  }

  // Where a statement of this phase finds a value; computes it again if it is cheap and of an earlier phase.
  Access access(const Read& read, bool inner) {
    if (!read.inside) {
      const Home& home = homes_.reads.at(read.value);
      return {home.place, home.index(read.index), read.border};
    }
    const Step& source = *phases_.steps.at(read.value);
    bool earlier = phases_.of.at(read.value) < phase_;
    if (earlier && phases_.tiled.count(read.value)) return {tiles_.at(read.value), tile_index(source), {}};
    HONE_CHECK(source.point || !source.prologue.empty() || !inner,
               "a value per row is read at points before it is known");
    emit_step(source);
    return {registers_.at(read.value), {}, {}};
  }

  std::vector<Index> tile_index(const Step& step) const {
    std::vector<Index> index;
    for (const std::string& axis : tile_axes(step)) index.push_back(Index::axis(axis));
    return index;
  }

  // Stores to memory and tiles.
  void keep(const Step& step) {
    std::vector<Stmt>& list = step.point || !step.prologue.empty() ? group_.inner : group_.outer;
    Access value{registers_.at(step.result), {}, {}};
    ir::Scalar itself = ir::access_value(step.type, 0);
    for (const Store& store : draft_.stores) {
      if (store.from != step.result) continue;
      const Home& home = homes_.writes.at(store.to);
      list.push_back(writer_.statement(home.place, home.index(store.at), Combine::None, {value}, itself));
    }
    if (phases_.tiled.count(step.result))
      list.push_back(writer_.statement(tiles_.at(step.result), tile_index(step), Combine::None, {value}, itself));
  }

  const Draft& draft_;
  const Homes& homes_;
  const std::vector<std::string>& tiled_axes_;
  KernelWriter& writer_;
  Phases phases_;
  std::map<ValueId, int> tiles_, registers_, sums_;  // step → place
  Group group_;
  int phase_ = 0;
  std::set<ValueId> emitted_;  // in this group
};

}  // namespace

Home whole(int place) {
  return {place, [](const std::vector<Index>& index) { return index; }};
}

std::vector<ir::Node> emit_groups(const Draft& draft, const Homes& homes, const std::vector<std::string>& tiled,
                                  KernelWriter& writer) {
  return GroupEmitter(draft, homes, tiled, writer).emit();
}

std::vector<ValueId> add_buffers(const Draft& draft, const ir::Program& program, KernelWriter& writer, Homes& homes) {
  std::vector<ValueId> values;
  auto add = [&](std::map<ValueId, Home>& known, ValueId value, const char* stem, bool output) {
    if (known.count(value)) return;
    const ir::TensorType& type = program.type(value);
    known[value] = whole(writer.add_buffer(fmt::format("{}{}", stem, known.size()), type, output));
    values.push_back(value);
  };
  for (const Step& step : draft.steps)
    for (const auto* reads : {&step.reads, &step.after})
      for (const Read& read : *reads)
        if (!read.inside) add(homes.reads, read.value, "x", false);
  for (const Store& store : draft.stores) add(homes.writes, store.to, "y", true);
  return values;
}

Emitted emit(const Draft& draft, const ir::Program& program) {
  Emitted result;
  KernelWriter writer;
  Homes homes;
  result.buffers = add_buffers(draft, program, writer, homes);
  Openings openings = openings_of(draft, phases_of(draft));
  std::vector<ir::Node> body = emit_groups(draft, homes, openings.tiled, writer);
  for (size_t k = openings.nests.size(); k-- > 0;) {
    const Opening& opening = openings.nests[k];
    body = {nested(opening.grid, opening.axis, opening.step, std::move(body))};
  }
  result.kernel = writer.finish(draft.name, std::move(body));
  return result;
}

}  // namespace hone::fuse
