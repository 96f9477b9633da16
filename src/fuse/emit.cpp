#include "fuse/emit.h"

#include "fuse/openings.h"

namespace hone::fuse {
namespace {

using ir::Access;
using ir::Combine;
using ir::Group;
using ir::GroupAxis;
using ir::Index;
using ir::Stmt;
using ir::ValueId;

class KernelEmitter {
 public:
  KernelEmitter(const Draft& draft, const ir::Program& program)
      : draft_(draft), program_(program), phases_(phases_of(draft)), openings_(openings_of(draft, phases_)) {}

  Emitted emit() {
    kernel().name = draft_.name;
    kernel().axes = draft_.rows;
    kernel().axes.insert(kernel().axes.end(), draft_.cols.begin(), draft_.cols.end());
    add_buffers();
    add_tiles();
    add_registers();
    std::vector<ir::Node> body;
    for (int phase = 0; phase < phases_.count; ++phase) body.push_back(group(phase));
    for (size_t k = openings_.nests.size(); k-- > 0;) {
      const Opening& opening = openings_.nests[k];
      auto nest = std::make_shared<ir::Nest>();
      nest->grid = opening.grid;
      nest->axis = opening.axis;
      nest->step = opening.step;
      nest->body = std::move(body);
      body.assign(1, std::shared_ptr<const ir::Nest>(nest));
    }
    kernel().body = std::move(body);
    return std::move(result_);
  }

 private:
  ir::Kernel& kernel() { return result_.kernel; }

  void add_buffers() {
    for (const Step& step : draft_.steps)
      for (const auto* reads : {&step.reads, &step.after})
        for (const Read& read : *reads)
          if (!read.inside) add_buffer(inputs_, read.value, "x", false);
    for (const Store& store : draft_.stores) add_buffer(outputs_, store.to, "y", true);
  }

  void add_buffer(std::map<ValueId, int>& known, ValueId value, const char* stem, bool output) {
    if (known.count(value)) return;
    const ir::TensorType& type = program_.type(value);
    kernel().buffers.push_back({fmt::format("{}{}", stem, known.size()), type.dtype, type.shape, output});
    known[value] = static_cast<int>(result_.buffers.size());
    result_.buffers.push_back(value);
  }

  void add_tiles() {
    for (const Step& step : draft_.steps) {
      if (!phases_.tiled.count(step.result)) continue;
      ir::Tile tile{fmt::format("t{}", tiles_.size()), step.type, openings_.tiled, std::nullopt};
      if (step.point)
        for (const ir::Axis& axis : draft_.cols) tile.axes.push_back(axis.name);
      tiles_[step.result] = static_cast<int>(kernel().buffers.size() + kernel().tiles.size());
      kernel().tiles.push_back(std::move(tile));
    }
  }

  int add_register(const char* stem, ir::DType type) {
    kernel().registers.push_back(fmt::format("{}{}", stem, kernel().registers.size()));
    kernel().register_types.push_back(type);
    return static_cast<int>(kernel().buffers.size() + kernel().tiles.size() + kernel().registers.size()) - 1;
  }

  void add_registers() {
    for (const Step& step : draft_.steps) {
      if (step.combine != Combine::None && step.finish) sums_[step.result] = add_register("s", step.type);
      registers_[step.result] = add_register(step.combine != Combine::None && !step.finish ? "s" : "v", step.type);
    }
  }

  Group group(int phase) {
    group_ = {};
    phase_ = phase;
    emitted_.clear();
    bool reduces = false;
    for (const Step& step : draft_.steps)
      if (phases_.of.at(step.result) == phase) reduces |= step.combine != Combine::None;
    for (const ir::Axis& axis : draft_.rows) group_.parallel.push_back(GroupAxis{axis.name, {}, {}});
    for (const ir::Axis& axis : draft_.cols) (reduces ? group_.over : group_.parallel).push_back(GroupAxis{axis.name, {}, {}});
    for (const Step& step : draft_.steps)
      if (phases_.of.at(step.result) == phase) emit_step(step);
    for (const Step& step : draft_.steps)
      if (phases_.of.at(step.result) == phase) keep(step);
    return std::move(group_);
  }

  void emit_step(const Step& step) {
    if (!emitted_.insert(step.result).second) return;
    bool inner = step.point || step.combine != Combine::None;
    std::vector<Access> accesses;
    for (const Read& read : step.reads) accesses.push_back(access(read, inner));
    int target = step.finish ? sums_.at(step.result) : registers_.at(step.result);
    if (inner) group_.inner.push_back(statement(target, {}, step.combine, std::move(accesses), step.body));
    else group_.outer.push_back(statement(target, {}, step.combine, std::move(accesses), step.body));
    if (!step.finish) return;
    std::vector<Access> after = {Access{target, {}, {}}};
    for (const Read& read : step.after) after.push_back(access(read, false));
    group_.outer.push_back(statement(registers_.at(step.result), {}, Combine::None, std::move(after), step.finish));
  }

  // Where a statement of this phase finds a value; computes it again if it is cheap and of an earlier phase.
  Access access(const Read& read, bool inner) {
    if (!read.inside) return {inputs_.at(read.value), read.index, read.border};
    const Step& source = *phases_.steps.at(read.value);
    bool earlier = phases_.of.at(read.value) < phase_;
    if (earlier && phases_.tiled.count(read.value)) return {tiles_.at(read.value), tile_index(source), {}};
    HONE_CHECK(source.point == inner || !inner, "a value per row is read at points before it is known");
    emit_step(source);
    return {registers_.at(read.value), {}, {}};
  }

  std::vector<Index> tile_index(const Step& step) const {
    std::vector<Index> index;
    for (const std::string& axis : openings_.tiled) index.push_back(Index::axis(axis));
    if (step.point)
      for (const ir::Axis& axis : draft_.cols) index.push_back(Index::axis(axis.name));
    return index;
  }

  // Stores to memory and tiles.
  void keep(const Step& step) {
    std::vector<Stmt>& list = step.point ? group_.inner : group_.outer;
    Access value{registers_.at(step.result), {}, {}};
    ir::Scalar itself = ir::access_value(step.type, 0);
    for (const Store& store : draft_.stores)
      if (store.from == step.result) list.push_back(statement(outputs_.at(store.to), store.at, Combine::None, {value}, itself));
    if (phases_.tiled.count(step.result))
      list.push_back(statement(tiles_.at(step.result), tile_index(step), Combine::None, {value}, itself));
  }

  Stmt statement(int place, std::vector<Index> at, Combine combine, std::vector<Access> accesses, ir::Scalar body) {
    return {kernel().place_name(place), std::move(at), combine, std::move(accesses), std::move(body)};
  }

  const Draft& draft_;
  const ir::Program& program_;
  Phases phases_;
  Openings openings_;
  Emitted result_;
  std::map<ValueId, int> inputs_, outputs_, tiles_, registers_, sums_;  // value → place
  Group group_;
  int phase_ = 0;
  std::set<ValueId> emitted_;  // in this group
};

}  // namespace

Emitted emit(const Draft& draft, const ir::Program& program) { return KernelEmitter(draft, program).emit(); }

}  // namespace hone::fuse
