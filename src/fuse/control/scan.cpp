#include "fuse/control/scan.h"

#include <algorithm>

#include "fuse/reads.h"
#include "fuse/split.h"
#include "partition/recurrent.h"

namespace hone::fuse {
namespace {

using ir::Index;
using ir::ValueId;

// One letter and a number: no symbol of a model has such a name.
const char* const kTime = "u0";

class ScanEmitter {
 public:
  ScanEmitter(Scope& outer, const ir::Op& op)
      : outer_(outer), op_(op), meaning_(partition::scan_of(outer.flow().program, op)) {}

  Result<Emitted> emit() {
    HONE_PASS(draft_step());
    const ir::ScanMeaning::Scanned& first = meaning_.scanned[0];
    steps_ = outer_.flow()
                 .program.type(op_.inputs[static_cast<size_t>(first.number)])
                 .shape[static_cast<size_t>(first.axis)];
    loops_ = !steps_.is(1);
    if (loops_) writer_.add_axis({kTime, steps_});
    add_inputs();
    add_results();
    place_intermediates();
    std::erase_if(drafts_, [](const Draft& draft) { return draft.stores.empty(); });
    std::vector<ir::Node> body = before_;
    std::vector<ir::Node> loop;
    for (const Draft& draft : drafts_) {
      // A group of the step sees all its points, so what it leaves for another of its draft has them all.
      std::vector<std::string> rows;
      for (const ir::Axis& axis : draft.rows) rows.push_back(axis.name);
      for (ir::Node& group : emit_groups(draft, homes_, rows, writer_)) loop.push_back(std::move(group));
    }
    loop.insert(loop.end(), between_.begin(), between_.end());
    if (loops_) loop = {nested(false, kTime, 1, std::move(loop), states_)};
    body.insert(body.end(), loop.begin(), loop.end());
    body.insert(body.end(), after_.begin(), after_.end());
    result_.kernel = writer_.finish(ir::name_of(op_.kind), opened(std::move(body)));
    return std::move(result_);
  }

 private:
  Status draft_step() {
    inner_.parts = partition::partition(meaning_.step, partition::Attentions::InParts);
    const partition::Flow& flow = inner_.flow();
    for (const partition::Cluster& cluster : inner_.parts.clusters) {
      Draft draft = draft_cluster(inner_, cluster);
      by_cluster_.push_back(draft);
    }
    for (int unit : inner_.parts.order) {
      if (unit >= 0) {
        drafts_.push_back(by_cluster_[static_cast<size_t>(unit)]);
        continue;
      }
      const ir::Op& op = flow.op(-1 - unit);
      bool view = ir::meaning_kind(op.kind) == ir::MeaningKind::View && op.kind != ir::OpKind::Concat;
      if (!view)
        return error("{} node '{}': its step holds {}, which a loop cannot run", ir::name_of(op_.kind), op_.name,
                     ir::name_of(op.kind));
      bool output = flow.is_output(op.outputs[0]);
      if (output || inner_.materialised.count(op.outputs[0])) drafts_.push_back(draft_view(inner_, op.outputs[0]));
    }
    for (Draft& draft : drafts_) rename_axes(draft);
    return Done{};
  }

  // Axes of equal extent share a name across the step; the n-th of an extent in one list is always the same axis.
  std::string axis_named(const Index& extent, std::map<std::string, int>& met) {
    std::string key = fmt::format("{}#{}", extent.text(), met[extent.text()]++);
    auto [found, fresh] = axis_names_.try_emplace(key, fmt::format("d{}", axis_names_.size()));
    if (fresh) writer_.add_axis({found->second, extent});
    return found->second;
  }

  void rename_axes(Draft& draft) {
    std::map<std::string, int> met;
    std::map<std::string, Index> by_name;
    for (auto* axes : {&draft.rows, &draft.cols})
      for (ir::Axis& axis : *axes) {
        std::string name = axis_named(axis.extent, met);
        by_name[axis.name] = Index::axis(name);
        axis.name = name;
      }
    visit_indices(draft, [&](Index& index) { index = index.substitute(by_name); });
  }

  // A tile for all elements of a value, and the index of its point over the tile's axes.
  struct Held {
    Home home;
    std::vector<std::string> axes;
    std::vector<Index> at;  // as the value is indexed
  };

  Held hold(const std::string& name, const ir::TensorType& type) {
    Held held;
    std::map<std::string, int> met;
    std::vector<size_t> kept;  // dimensions of more than one element
    for (size_t k = 0; k < type.shape.size(); ++k) {
      held.at.push_back(0);
      if (type.shape[k].is(1)) continue;
      held.axes.push_back(axis_named(type.shape[k], met));
      held.at.back() = Index::axis(held.axes.back());
      kept.push_back(k);
    }
    held.home.place = writer_.add_tile(name, type.dtype, held.axes);
    held.home.index = [kept](const std::vector<Index>& at) {
      std::vector<Index> index;
      for (size_t dimension : kept) index.push_back(at[dimension]);
      return index;
    };
    return held;
  }

  int buffer(ValueId value, bool output) {
    auto [found, fresh] = buffers_.try_emplace({value, output}, 0);
    if (fresh) {
      std::string name = output ? fmt::format("y{}", outputs_++) : fmt::format("x{}", inputs_++);
      found->second = writer_.add_buffer(name, outer_.flow().program.type(value), output);
      result_.buffers.push_back(value);
    }
    return found->second;
  }

  // Where an operand of the op is read: through the views that lie in between.
  Home operand(ValueId value) {
    Route route = affine_route(outer_, value);
    return {buffer(route.root, false),
            [this, route](const std::vector<Index>& at) { return along(outer_, route, at, writer_.ranges()); }};
  }

  // Where a result of the op is written: in its own memory or that of one concatenation; others copy it from there.
  Home result(ValueId value) {
    std::vector<Index> zero(outer_.flow().program.type(value).shape.size(), Index(0));
    std::vector<Destination> all = destinations(outer_, value, zero);
    Destination where = all.size() == 1 ? all[0] : Destination{value, zero, std::nullopt};
    if (where.piece) outer_.placed.insert(*where.piece);
    return {buffer(where.to, true), [where](const std::vector<Index>& at) {
              std::vector<Index> index = where.at;
              for (size_t k = 0; k < at.size(); ++k) index[k] = index[k] + at[k];
              return index;
            }};
  }

  // The home of one step's slice.
  Home at_time(const Home& all, int axis, bool reverse) const {
    Index now = Index::axis(kTime), time = !loops_ ? Index(0) : reverse ? steps_ - 1 - now : now;
    return {all.place, [all, axis, time](const std::vector<Index>& at) {
              std::vector<Index> index = at;
              index.insert(index.begin() + axis, time);
              return all.index(index);
            }};
  }

  // A group that writes all elements of a tile's value: a copy of `from`, or zeros.
  ir::Node fill(const ir::TensorType& type, const Held& over, const Home* from, const Home& to) {
    ir::Group group;
    for (const std::string& axis : over.axes) group.parallel.push_back(ir::GroupAxis{axis, {}, {}});
    std::vector<ir::Access> accesses;
    if (from) accesses.push_back({from->place, from->index(over.at), {}});
    ir::Scalar body = from ? ir::access_value(type.dtype, 0) : ir::constant(type.dtype, 0);
    group.inner.push_back(writer_.statement(to.place, to.index(over.at), ir::Combine::None, std::move(accesses), body));
    return group;
  }

  void add_inputs() {
    const std::vector<ValueId>& inputs = inner_.flow().program.inputs;
    size_t states = meaning_.state_types.size(), slices = meaning_.scanned.size();
    auto given = [&](int number) { return operand(op_.inputs[static_cast<size_t>(number)]); };
    for (size_t k = 0; k < slices; ++k)
      homes_.reads[inputs[states + k]] =
          at_time(given(meaning_.scanned[k].number), meaning_.scanned[k].axis, meaning_.scanned[k].reverse);
    for (size_t k = 0; k < meaning_.invariants.size(); ++k)
      homes_.reads[inputs[states + slices + k]] = given(meaning_.invariants[k]);
    for (size_t k = 0; k < states; ++k) {
      const ir::TensorType& type = meaning_.state_types[k];
      Held held = hold(fmt::format("state{}", k), type);
      homes_.reads[inputs[k]] = held.home;
      ValueId init = meaning_.states_init[k];
      if (init != ir::kAbsent) {
        Home from = operand(init);
        before_.push_back(fill(type, held, &from, held.home));
      } else if (loops_) {
        states_.push_back({writer_.name_of(held.home.place), ir::constant(type.dtype, 0)});
      } else {
        before_.push_back(fill(type, held, nullptr, held.home));
      }
      held_.push_back(std::move(held));
    }
  }

  bool is_read(ValueId result) const {
    return result != ir::kAbsent && (outer_.flow().is_output(result) || !outer_.flow().readers(result).empty());
  }

  void add_results() {
    const std::vector<ValueId>& outputs = inner_.flow().program.outputs;
    size_t states = meaning_.state_types.size();
    for (size_t k = 0; k < states; ++k) {
      const ir::TensorType& type = meaning_.state_types[k];
      if (updates_in_place(k)) {
        homes_.writes[outputs[k]] = held_[k].home;
        continue;
      }
      Held next = hold(fmt::format("next{}", k), type);
      homes_.writes[outputs[k]] = next.home;
      homes_.reads[outputs[k]] = next.home;
      between_.push_back(fill(type, next, &next.home, held_[k].home));
    }
    for (size_t k = 0; k < op_.outputs.size(); ++k) {
      if (!is_read(op_.outputs[k])) continue;
      ir::ScanMeaning::Output output = meaning_.outputs[k];
      size_t number = static_cast<size_t>(output.number);
      if (output.is_state)
        after_.push_back(
            fill(meaning_.state_types[number], held_[number], &held_[number].home, result(op_.outputs[k])));
      else
        place_slice(outputs[states + number], at_time(result(op_.outputs[k]), output.axis, output.reverse));
    }
  }

  // A slice that the step reads itself is kept in a tile and copied from there: kernels do not read their results.
  void place_slice(ValueId slice, const Home& to) {
    if (inner_.flow().readers(slice).empty()) {
      homes_.writes[slice] = to;
      return;
    }
    const ir::TensorType& type = inner_.flow().program.type(slice);
    Held held = hold(fmt::format("slice{}", writer_.tiles()), type);
    homes_.writes[slice] = homes_.reads[slice] = held.home;
    between_.push_back(fill(type, held, &held.home, to));
  }

  // The old state is read only where the new one is computed, at the very point, so it may be overwritten there.
  bool updates_in_place(size_t state) const {
    ValueId old = inner_.flow().program.inputs[state], fresh = inner_.flow().program.outputs[state];
    for (const Draft& draft : drafts_) {
      const Store* store = nullptr;
      for (const Store& one : draft.stores)
        if (one.to == fresh) store = &one;
      for (const Step& step : draft.steps)
        for (const auto* reads : {&step.reads, &step.after})
          for (const Read& read : *reads) {
            if (read.inside) continue;
            if (read.value == fresh) return false;
            if (read.value == old &&
                (!store || draft.kind != partition::Cluster::Kind::Elementwise || read.index != store->at))
              return false;
          }
    }
    return true;
  }

  // What one cluster of the step hands to another stays in a tile; stores that nobody reads go.
  void place_intermediates() {
    std::set<ValueId> read;
    for (const Draft& draft : drafts_)
      for (const Step& step : draft.steps)
        for (const auto* reads : {&step.reads, &step.after})
          for (const Read& one : *reads)
            if (!one.inside) read.insert(one.value);
    for (Draft& draft : drafts_) {
      std::erase_if(draft.stores,
                    [&](const Store& store) { return !homes_.writes.count(store.to) && !read.count(store.to); });
      for (const Store& store : draft.stores) {
        if (homes_.writes.count(store.to)) continue;
        Held held = hold(fmt::format("m{}", writer_.tiles()), inner_.flow().program.type(store.to));
        homes_.writes[store.to] = homes_.reads[store.to] = held.home;
      }
    }
    for (ValueId value : read)
      HONE_CHECK(homes_.reads.count(value), "{} '{}': the step reads a value that has no place", ir::name_of(op_.kind),
                 op_.name);
  }

  // Steps that work on each element alone are independent tasks.
  std::vector<ir::Node> opened(std::vector<ir::Node> body) const {
    if (drafts_.size() != 1 || drafts_[0].kind != partition::Cluster::Kind::Elementwise) return body;
    const std::vector<ir::Axis>& rows = drafts_[0].rows;
    for (size_t k = rows.size(); k-- > 0;) {
      bool last = k + 1 == rows.size();
      body = {nested(true, rows[k].name, last ? Index::symbol("T_" + rows[k].name) : Index(1), std::move(body))};
    }
    return body;
  }

  Scope& outer_;
  const ir::Op& op_;
  ir::ScanMeaning meaning_;
  Scope inner_;
  std::vector<Draft> by_cluster_, drafts_;  // by number of the cluster; in order
  KernelWriter writer_;
  Homes homes_;
  Index steps_;
  bool loops_ = true;       // more than one step
  std::vector<Held> held_;  // states
  std::vector<ir::State> states_;
  std::vector<ir::Node> before_, between_, after_;  // the loop's body has `between` at its end
  std::map<std::string, std::string> axis_names_;
  std::map<std::pair<ValueId, bool>, int> buffers_;
  int inputs_ = 0, outputs_ = 0;
  Emitted result_;
};

}  // namespace

Result<Emitted> emit_scan(Scope& outer, const ir::Op& op) {
  return ScanEmitter(outer, op).emit();
}

}  // namespace hone::fuse
