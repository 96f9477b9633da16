#include "fuse/draft.h"

#include <algorithm>

#include "fuse/peephole.h"
#include "fuse/reads.h"
#include "fuse/reciprocal.h"
#include "fuse/split.h"

namespace hone::fuse {
namespace {

using ir::Index;
using ir::ValueId;
using partition::Cluster;
using partition::Coordinate;

void add_stores(Draft& draft, Scope& scope, ValueId from, ValueId value, const Coordinate& at,
                const std::function<bool(int)>& inside) {
  for (Destination& where : destinations(scope, value, at, inside)) {
    if (where.piece) scope.placed.insert(*where.piece);
    draft.stores.push_back({from, where.to, std::move(where.at)});
  }
}

// Turns one cluster into a draft.
class Drafter {
 public:
  Drafter(Scope& scope, const Cluster& cluster) : scope_(scope), flow_(scope.flow()), cluster_(cluster) {}

  Draft draft(Through through) {
    Draft draft;
    draft.kind = cluster_.kind;
    draft.anchor = flow_.op(cluster_.anchor).kind;
    draft.rows = cluster_.rows;
    draft.cols = cluster_.cols;
    std::vector<ir::Axis> axes = draft.rows;
    axes.insert(axes.end(), draft.cols.begin(), draft.cols.end());
    if (cluster_.attention) {
      draft.attention = attention();
      axes.push_back(draft.attention->feature);
    }
    ranges_ = partition::ranges_of(axes);
    through_ = through;
    for (const auto& [op, place] : cluster_.members)
      if (flow_.kind(op) == ir::MeaningKind::Indexed && !(cluster_.attention && cluster_.attention->softmax.count(op)))
        draft.steps.push_back(step(op, place));
    for (const auto& [value, at] : cluster_.values)
      add_stores(draft, scope_, unrenamed(value), value, at,
                 [&](int reader) { return cluster_.members.count(reader) > 0; });
    split_axes(draft);
    return draft;
  }

 private:
  DraftedAttention attention() const {
    const partition::Attention& found = *cluster_.attention;
    auto result = [&](int op) { return flow_.op(op).outputs[0]; };
    DraftedAttention drafted;
    drafted.scores = result(found.scores);
    drafted.logits = unrenamed(found.logits);
    drafted.weighted = result(found.weighted);
    drafted.guarded = found.guarded;
    drafted.query_side = static_cast<size_t>(found.query_side);
    for (int op : found.factors) drafted.factors.insert(result(op));
    drafted.query = found.query;
    drafted.key = found.key;
    drafted.element = found.element;
    drafted.feature = found.feature;
    return drafted;
  }

  // The step's value that a value of the cluster is, seen through absorbed views.
  ValueId unrenamed(ValueId value) const {
    while (flow_.kind(flow_.producer(value)) == ir::MeaningKind::View)
      value = flow_.op(flow_.producer(value)).inputs[0];
    return value;
  }

  Read read(const ir::Op& op, const ir::Access& access, const std::map<std::string, Index>& place) const {
    Read result;
    result.value = op.inputs[static_cast<size_t>(access.operand)];
    if (cluster_.values.count(result.value)) {
      result.inside = true;
      result.value = unrenamed(result.value);
      return result;
    }
    for (const Index& index : access.index) result.index.push_back(index.substitute(place).simplify(ranges_));
    result.border = access.border;
    if (literal(scope_, result)) return result;
    return resolved(scope_, std::move(result), ranges_, through_);
  }

  Step step(int number, const std::map<std::string, Index>& place) const {
    const ir::Op& op = flow_.op(number);
    ir::Indexed meaning = ir::indexed_meaning(flow_.program, op);
    Step step;
    step.result = op.outputs[0];
    step.type = meaning.type;
    step.combine = meaning.combine;
    for (const ir::Access& access : meaning.accesses) step.reads.push_back(read(op, access, place));
    for (const ir::Access& access : meaning.after) step.after.push_back(read(op, access, place));
    auto placed = [&](const Index& index) { return index.substitute(place).simplify(ranges_); };
    step.body = ir::replace_indices(meaning.body, placed);
    if (meaning.finish) step.finish = ir::replace_indices(meaning.finish, placed);
    inline_literals(scope_, step.reads, step.body, 0);
    step.body = simplified(step.body);
    if (step.finish) {
      inline_literals(scope_, step.after, step.finish, 1);
      step.finish = simplified(step.finish);
    }
    const Coordinate& at = cluster_.values.at(step.result);
    step.point = cluster_.kind == Cluster::Kind::Elementwise || is_point(at);
    if (cluster_.kind == Cluster::Kind::Contraction && step.point) {
      step.prologue = at;
      step.point = false;
    }
    return step;
  }

  bool is_point(const Coordinate& at) const {
    return std::any_of(cluster_.cols.begin(), cluster_.cols.end(), [&](const ir::Axis& axis) {
      return std::any_of(at.begin(), at.end(), [&](const Index& index) { return index.uses_axis(axis.name); });
    });
  }

  Scope& scope_;
  const partition::Flow& flow_;
  const Cluster& cluster_;
  ir::Ranges ranges_;
  Through through_ = Through::AnyView;
};

bool divides(const Draft& draft) {
  for (const Step& step : draft.steps)
    for (const auto* reads : {&step.reads, &step.after})
      for (const Read& read : *reads)
        if (!partition::is_affine(read.index)) return true;
  return false;
}

// The kernel of an attention knows each of its axes by name: splitting one is not for it.
bool splits_attention(const Draft& draft) {
  if (!draft.attention) return false;
  std::set<std::string> names;
  for (const auto* axes : {&draft.rows, &draft.cols})
    for (const ir::Axis& axis : *axes) names.insert(axis.name);
  return !names.count(draft.attention->query) || !names.count(draft.attention->key) ||
         !names.count(draft.attention->element);
}

void note_materialised(Scope& scope, const Draft& draft) {
  for (const Step& step : draft.steps)
    for (const auto* reads : {&step.reads, &step.after})
      for (const Read& read : *reads)
        if (auto view = unmaterialised_view(scope, read)) scope.materialised.insert(*view);
}

constexpr size_t kMostNameParts = 5;
constexpr size_t kMostLabel = 96;

// "conv_add_relu": the operators of the model in order, each once in a row.
std::string kernel_name(const partition::Flow& flow, const Cluster& cluster) {
  std::string name;
  size_t parts = 0;
  int last = -1;
  for (const auto& [op, place] : cluster.members) {
    if (flow.kind(op) != ir::MeaningKind::Indexed || flow.sources[static_cast<size_t>(op)] == last) continue;
    last = flow.sources[static_cast<size_t>(op)];
    if (++parts > kMostNameParts) return name + "_more";
    name += (name.empty() ? "" : "_") + flow.origins[static_cast<size_t>(op)];
  }
  return name;
}

std::string label(const partition::Flow& flow, const Cluster& cluster) {
  std::string label;
  int last = -1;
  for (const auto& [op, place] : cluster.members) {
    if (flow.sources[static_cast<size_t>(op)] == last || flow.op(op).name.empty()) continue;
    last = flow.sources[static_cast<size_t>(op)];
    if (label.size() + flow.op(op).name.size() > kMostLabel) return label + "+…";
    label += (label.empty() ? "" : "+") + flow.op(op).name;
  }
  return label;
}

// A copy over all elements of a value, without its store.
Draft copy_of(const Scope& scope, ValueId value) {
  const ir::TensorType& type = scope.flow().program.type(value);
  Draft draft;
  draft.name = "copy";
  draft.kind = Cluster::Kind::Elementwise;
  draft.anchor = ir::OpKind::Identity;
  Read read{value, false, {}, {}};
  for (size_t k = 0; k < type.shape.size(); ++k) {
    std::string axis = fmt::format("e{}", k);
    read.index.push_back(type.shape[k].is(1) ? Index(0) : Index::axis(axis));
    if (!type.shape[k].is(1)) draft.rows.push_back({axis, type.shape[k]});
  }
  Step step;
  step.result = value;
  step.type = type.dtype;
  step.point = true;
  step.body = ir::access_value(type.dtype, 0);
  step.reads.push_back(std::move(read));
  draft.steps.push_back(std::move(step));
  return draft;
}

}  // namespace

std::vector<Destination> destinations(const Scope& scope, ValueId value, const Coordinate& at,
                                      const std::function<bool(int)>& inside) {
  constexpr size_t kMost = 3;  // more stores than that cost more than a copy
  const partition::Flow& flow = scope.flow();
  std::vector<Destination> result;
  bool own = flow.is_output(value);
  for (int reader : flow.readers(value)) {
    if (inside && inside(reader)) continue;
    const ir::Op& concat = flow.op(reader);
    if (concat.kind != ir::OpKind::Concat) {
      own = true;
      continue;
    }
    ir::View view = ir::view_meaning(flow.program, concat);
    for (const ir::ViewPiece& piece : view.pieces) {
      if (concat.inputs[static_cast<size_t>(piece.operand)] != value) continue;
      Coordinate shifted = at;
      shifted[static_cast<size_t>(view.axis)] = shifted[static_cast<size_t>(view.axis)] + piece.begin;
      for (Destination& further : destinations(scope, concat.outputs[0], shifted)) {
        further.piece = {reader, piece.operand};
        result.push_back(std::move(further));
      }
    }
  }
  if (result.size() + own > kMost) {
    result.clear();
    own = true;
  }
  if (own) result.insert(result.begin(), Destination{value, at, std::nullopt});
  return result;
}

Draft draft_cluster(Scope& scope, const Cluster& cluster) {
  Drafter drafter(scope, cluster);
  Draft draft = drafter.draft(Through::AnyView);
  if (divides(draft) || splits_attention(draft)) draft = drafter.draft(Through::AffineViews);
  note_materialised(scope, draft);
  hoist_reciprocals(draft, static_cast<ValueId>(scope.flow().program.values.size()));
  draft.name = kernel_name(scope.flow(), cluster);
  draft.label = label(scope.flow(), cluster);
  return draft;
}

Draft draft_view(Scope& scope, ValueId result) {
  Draft draft = copy_of(scope, result);
  Read& read = draft.steps[0].reads[0];
  const ir::Op& view = scope.flow().op(scope.flow().producer(result));
  add_stores(draft, scope, result, result, read.index, nullptr);
  ir::Ranges ranges = partition::ranges_of(draft.rows);
  read.index = partition::backward(scope.flow().program, view, read.index, ranges);
  read.value = view.inputs[0];
  read = resolved(scope, read, ranges, Through::AnyView);
  draft.label = view.name;
  split_axes(draft);
  return draft;
}

ValueId copied_from(const Scope& scope, ValueId value) {
  Draft draft = copy_of(scope, value);
  return resolved(scope, draft.steps[0].reads[0], partition::ranges_of(draft.rows), Through::AnyView).value;
}

Draft draft_piece(Scope& scope, int concat, const ir::View& view, const ir::ViewPiece& piece) {
  const ir::Op& op = scope.flow().op(concat);
  ValueId value = op.inputs[static_cast<size_t>(piece.operand)];
  Draft draft = copy_of(scope, value);
  Read& read = draft.steps[0].reads[0];
  Coordinate at = read.index;
  at[static_cast<size_t>(view.axis)] = at[static_cast<size_t>(view.axis)] + piece.begin;
  for (Destination& where : destinations(scope, op.outputs[0], at))
    draft.stores.push_back({value, where.to, std::move(where.at)});
  read = resolved(scope, read, partition::ranges_of(draft.rows), Through::AnyView);
  draft.label = op.name;
  split_axes(draft);
  return draft;
}

}  // namespace hone::fuse
