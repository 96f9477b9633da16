#include "eval/kernel_eval.h"

#include <algorithm>

#include "eval/tile_life.h"

namespace hone::eval {
namespace {

using Range = std::pair<int64_t, int64_t>;

template <typename D>
class KernelRun {
 public:
  using Number = typename D::Number;

  KernelRun(D& domain, const ir::Kernel& kernel, const std::vector<Array<D>*>& buffers, const Sizes& sizes)
      : domain_(domain), kernel_(kernel), sizes_(sizes), buffers_(buffers), registers_(kernel.registers.size()) {
    for (const ir::Axis& axis : kernel.axes) {
      slots_[axis.name] = static_cast<int>(extents_.size());
      extents_.push_back(size_of(axis.extent, sizes));
      ranges_.push_back({0, extents_.back()});
    }
    point_.resize(extents_.size());
    std::vector<Lifetime> lifetimes = lifetimes_of(kernel);
    for (size_t t = 0; t < kernel.tiles.size(); ++t) add_tile(kernel.tiles[t], lifetimes[t]);
  }

  void run() { run_nodes(kernel_.body); }

 private:
  struct StatementCode {
    const ir::Stmt* statement;
    int place;
    PointCode<D> value;
    std::optional<AccessCode> at;  // null: a register
  };
  struct GroupCode {
    std::vector<StatementCode> inner, outer;
  };

  void add_tile(const ir::Tile& tile, const Lifetime& lifetime) {
    std::vector<int64_t> shape;
    std::optional<std::pair<size_t, int64_t>> ring;
    for (const std::string& axis : tile.axes) {
      if (tile.ring && tile.ring->axis == axis) ring = {shape.size(), size_of(tile.ring->rows, sizes_)};
      shape.push_back(extents_[slot(axis)]);
    }
    lives_.push_back(std::make_unique<TileLife>(lifetime, shape, ring));
    tiles_.push_back(empty_array<D>(tile.dtype, shape));
  }

  size_t slot(const std::string& axis) const { return static_cast<size_t>(slots_.at(axis)); }
  size_t tile_of(int place) const { return static_cast<size_t>(place) - kernel_.buffers.size(); }
  bool is_buffer(int place) const { return static_cast<size_t>(place) < kernel_.buffers.size(); }
  bool is_tile(int place) const { return !is_buffer(place) && tile_of(place) < kernel_.tiles.size(); }

  // An index of nodes: axes stand for the begin of their tile.
  int64_t value(const ir::Index& index) const {
    return index.evaluate([&](const std::string& name) {
      auto axis = slots_.find(name);
      return axis != slots_.end() ? ranges_[static_cast<size_t>(axis->second)].first
                                  : size_of(ir::Index::symbol(name), sizes_);
    });
  }

  void run_nodes(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      if (domain_.problem) return;
      if (const ir::Group* group = std::get_if<ir::Group>(&node))
        run_group(*group);
      else
        run_nest(*std::get<std::shared_ptr<const ir::Nest>>(node));
    }
  }

  void run_nest(const ir::Nest& nest) {
    for (auto& life : lives_)
      if (life->lifetime().entered == &nest) life->forget();
    std::erase_if(carried_, [&](const auto& entry) { return entry.second.loop == &nest; });
    for (const ir::State& state : nest.states) start(state);
    Range& range = ranges_[slot(nest.axis)];
    const Range outer = range;
    int64_t step = value(nest.step), end = nest.until ? std::min(outer.second, value(*nest.until)) : outer.second;
    HONE_CHECK(step > 0, "loop over {} has step {}", nest.axis, step);
    open_.push_back(&nest);
    for (int64_t begin = outer.first; begin < end && !domain_.problem; begin += step) {
      range = {begin, std::min(begin + step, outer.second)};
      for (auto& life : lives_)
        if (life->lifetime().iterated == &nest && !life->lifetime().state) life->forget();
      run_nodes(nest.body);
    }
    open_.pop_back();
    range = outer;
  }

  // Gives a state its initial value on the points that its axes have around the loop.
  void start(const ir::State& state) {
    size_t number = tile_of(kernel_.place_of(state.tile));
    const ir::Tile& tile = kernel_.tiles[number];
    lives_[number]->forget();
    ScalarCode<D> init(domain_, state.init, slots_, sizes_);
    AccessCode at({0, axes_index(tile), {}}, tiles_[number].shape, slots_, sizes_, extents_);
    std::vector<size_t> axes;
    std::vector<Range> ranges;
    for (const std::string& axis : tile.axes) {
      axes.push_back(slot(axis));
      ranges.push_back(ranges_[slot(axis)]);
    }
    for_each(axes, ranges, 0, [&] {
      int64_t offset = at.offset(point_.data(), nullptr);
      tiles_[number].data[static_cast<size_t>(offset)] = init.run(point_.data(), nullptr, nullptr);
      lives_[number]->write(offset);
    });
  }

  static std::vector<ir::Index> axes_index(const ir::Tile& tile) {
    std::vector<ir::Index> index;
    for (const std::string& axis : tile.axes) index.push_back(ir::Index::axis(axis));
    return index;
  }

  template <typename Visit>
  void for_each(const std::vector<size_t>& axes, const std::vector<Range>& ranges, size_t depth, const Visit& visit) {
    if (domain_.problem) return;
    if (depth == axes.size()) return visit();
    for (int64_t i = ranges[depth].first; i < ranges[depth].second; ++i) {
      point_[axes[depth]] = i;
      for_each(axes, ranges, depth + 1, visit);
    }
  }

  Range range_of(const ir::GroupAxis& axis) {
    Range range = ranges_[slot(axis.axis)];
    if (axis.range) {
      int64_t extent = extents_[slot(axis.axis)];
      range = {std::max<int64_t>(0, value(axis.range->first)), std::min(extent, value(axis.range->second))};
    }
    if (!axis.carry) return range;
    auto loop =
        std::find_if(open_.rbegin(), open_.rend(), [&](const ir::Nest* nest) { return nest->axis == *axis.carry; });
    auto [entry, fresh] = carried_.try_emplace(&axis, Carried{*loop, range.first});
    range.first = std::max(range.first, entry->second.until);
    entry->second.until = std::max(entry->second.until, range.second);
    return range;
  }

  void run_group(const ir::Group& group) {
    auto [found, fresh] = codes_.try_emplace(&group);
    if (fresh) found->second = code_of(group);
    GroupCode& code = found->second;
    for (size_t k = 0; k < point_.size(); ++k) point_[k] = ranges_[k].first;
    std::vector<size_t> axes[2];
    std::vector<Range> ranges[2];
    for (int part : {0, 1})
      for (const ir::GroupAxis& axis : part == 0 ? group.parallel : group.over) {
        axes[part].push_back(slot(axis.axis));
        ranges[part].push_back(range_of(axis));
      }
    announce_writes(group, axes[0], ranges[0]);
    for_each(axes[0], ranges[0], 0, [&] {
      for (StatementCode& statement : code.inner)
        if (statement.statement->combine != ir::Combine::None) reset(statement);
      for_each(axes[1], ranges[1], 0, [&] {
        for (StatementCode& statement : code.inner) run_statement(statement);
      });
      for (StatementCode& statement : code.outer) run_statement(statement);
    });
  }

  void announce_writes(const ir::Group& group, const std::vector<size_t>& axes, const std::vector<Range>& ranges) {
    std::vector<Range> here = ranges_;
    for (size_t i = 0; i < axes.size(); ++i) here[axes[i]] = ranges[i];
    for (const auto* statements : {&group.inner, &group.outer})
      for (const ir::Stmt& statement : *statements) {
        int place = kernel_.place_of(statement.result);
        if (!is_tile(place)) continue;
        std::vector<Range> window;
        for (const std::string& axis : kernel_.tiles[tile_of(place)].axes) window.push_back(here[slot(axis)]);
        lives_[tile_of(place)]->begin_write(window);
      }
  }

  Number& register_of(int place) { return registers_[tile_of(place) - kernel_.tiles.size()]; }

  void reset(const StatementCode& code) {
    register_of(code.place) = identity(domain_, code.statement->combine, kernel_.place_type(code.place));
  }

  void run_statement(StatementCode& code) {
    if (domain_.problem) return;
    Number result = code.value.run(point_.data());
    if (!code.at) {
      Number& kept = register_of(code.place);
      kept = combine(domain_, code.statement->combine, kernel_.place_type(code.place), kept, result);
      return;
    }
    int64_t offset = code.at->offset(point_.data(), nullptr);
    if (offset < 0) {
      domain_.problem = fmt::format("a statement writes outside '{}'", code.statement->result);
    } else if (is_buffer(code.place)) {
      buffers_[static_cast<size_t>(code.place)]->data[static_cast<size_t>(offset)] = result;
    } else {
      tiles_[tile_of(code.place)].data[static_cast<size_t>(offset)] = result;
      lives_[tile_of(code.place)]->write(offset);
    }
  }

  GroupCode code_of(const ir::Group& group) {
    GroupCode code;
    for (const ir::Stmt& statement : group.inner) code.inner.push_back(code_of(statement));
    for (const ir::Stmt& statement : group.outer) code.outer.push_back(code_of(statement));
    return code;
  }

  StatementCode code_of(const ir::Stmt& statement) {
    std::vector<Operand<D>> operands;
    for (const ir::Access& access : statement.accesses) operands.push_back(operand(access.operand));
    int place = kernel_.place_of(statement.result);
    StatementCode code{&statement,
                       place,
                       PointCode<D>(domain_, statement.accesses, operands, statement.body, slots_, sizes_, extents_),
                       {}};
    if (is_buffer(place) || is_tile(place))
      code.at.emplace(ir::Access{place, statement.at, {}}, operand(place).shape, slots_, sizes_, extents_);
    return code;
  }

  Operand<D> operand(int place) {
    if (is_buffer(place)) return operand_of(*buffers_[static_cast<size_t>(place)]);
    if (!is_tile(place)) return {kernel_.place_type(place), {}, &register_of(place), nullptr};
    Operand<D> tile = operand_of(tiles_[tile_of(place)]);
    tile.liveness = lives_[tile_of(place)].get();
    return tile;
  }

  struct Carried {
    const ir::Nest* loop;
    int64_t until;  // the points before are there already
  };

  D& domain_;
  const ir::Kernel& kernel_;
  const Sizes& sizes_;
  const std::vector<Array<D>*>& buffers_;
  std::vector<Array<D>> tiles_;
  std::vector<std::unique_ptr<TileLife>> lives_;
  std::vector<Number> registers_;
  AxisSlots slots_;
  std::vector<int64_t> extents_, point_;
  std::vector<const ir::Nest*> open_;
  std::vector<Range> ranges_;  // of each axis in the loops that are open
  std::map<const ir::Group*, GroupCode> codes_;
  std::map<const ir::GroupAxis*, Carried> carried_;
};

}  // namespace

template <typename D>
Status evaluate_kernel(D& domain, const ir::Kernel& kernel, const std::vector<Array<D>*>& buffers, const Sizes& sizes) {
  HONE_PASS(ir::validate(kernel));
  HONE_CHECK(buffers.size() == kernel.buffers.size(), "{} buffers for kernel {}", buffers.size(), kernel.name);
  for (size_t k = 0; k < buffers.size(); ++k) {
    const ir::Buffer& buffer = kernel.buffers[k];
    std::vector<int64_t> shape = shape_of(buffer.shape, sizes);
    if (buffers[k]->shape != shape || buffers[k]->dtype != buffer.dtype)
      return error("kernel {}: buffer '{}' must be {}{}, is {}{}", kernel.name, buffer.name, ir::name_of(buffer.dtype),
                   text_of(shape), ir::name_of(buffers[k]->dtype), text_of(buffers[k]->shape));
  }
  KernelRun<D>(domain, kernel, buffers, sizes).run();
  if (domain.problem) return error("kernel {}: in the {} domain: {}", kernel.name, D::kName, *domain.problem);
  return Done{};
}

Result<std::vector<Tensor>> evaluate(const ir::Kernel& kernel, const std::vector<Tensor>& inputs, const Sizes& sizes) {
  Declared domain;
  Sizes all = sizes;
  size_t next = 0;
  for (const ir::Buffer& buffer : kernel.buffers) {
    if (buffer.output) continue;
    if (next == inputs.size()) return error("kernel {} takes more than {} inputs", kernel.name, inputs.size());
    HONE_PASS(bind_sizes(fmt::format("buffer '{}'", buffer.name), buffer.shape, inputs[next++].shape, all));
  }
  std::vector<Array<Declared>> arrays;
  next = 0;
  for (const ir::Buffer& buffer : kernel.buffers)
    arrays.push_back(
        to_array(domain, buffer.output ? zeros(buffer.dtype, shape_of(buffer.shape, all)) : inputs[next++]));
  std::vector<Array<Declared>*> pointers;
  for (Array<Declared>& array : arrays) pointers.push_back(&array);
  HONE_PASS(evaluate_kernel(domain, kernel, pointers, all));
  std::vector<Tensor> results;
  for (size_t k = 0; k < arrays.size(); ++k)
    if (kernel.buffers[k].output) results.push_back(to_tensor(domain, arrays[k]));
  return results;
}

template Status evaluate_kernel(Declared&, const ir::Kernel&, const std::vector<Array<Declared>*>&, const Sizes&);
template Status evaluate_kernel(Double&, const ir::Kernel&, const std::vector<Array<Double>*>&, const Sizes&);
template Status evaluate_kernel(Bounded&, const ir::Kernel&, const std::vector<Array<Bounded>*>&, const Sizes&);
template Status evaluate_kernel(ExactInteger&, const ir::Kernel&, const std::vector<Array<ExactInteger>*>&,
                                const Sizes&);
template Status evaluate_kernel(Residue&, const ir::Kernel&, const std::vector<Array<Residue>*>&, const Sizes&);

}  // namespace hone::eval
