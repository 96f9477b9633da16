#include "partition/grow.h"

#include <algorithm>
#include <set>

#include "partition/axes.h"

namespace hone::partition {
namespace {

using ir::Index;
using ir::Indexed;
using ir::MeaningKind;
using ir::Op;
using ir::ValueId;

constexpr size_t kMostMembers = 96;  // keeps a kernel's code and its registers within bounds

// Binds `axis` to `at`; false if it is bound to something else.
bool settle(std::map<std::string, Index>& place, const std::string& axis, const Index& at) {
  auto [found, fresh] = place.try_emplace(axis, at);
  return fresh || found->second == at;
}

// An axis of the cluster stands behind one axis of the op at most: else the cluster would visit a diagonal of its points.
bool is_one_to_one(const std::map<std::string, Index>& place) {
  std::set<std::string> used;
  for (const auto& [axis, at] : place)
    for (const std::string& behind : at.axes())
      if (!used.insert(behind).second) return false;
  return true;
}

// Along every plain axis the access goes through all of its operand. GatherElements may take only the front of it.
bool reads_all(const Indexed& meaning, const ir::Access& access, const ir::Shape& operand) {
  auto is_extent_of = [](const std::vector<ir::Axis>& axes, const std::string& name, const Index& size) {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const ir::Axis& axis) { return axis.name == name && axis.extent == size; });
  };
  for (size_t d = 0; d < operand.size(); ++d) {
    auto axis = plain_axis(access.index[d]);
    if (axis && !is_extent_of(meaning.axes, *axis, operand[d]) && !is_extent_of(meaning.reduce, *axis, operand[d]))
      return false;
  }
  return true;
}

}  // namespace

Cluster Grower::grow(Cluster::Kind kind, int anchor) {
  start(kind, anchor, name_axes(flow_.op(anchor).kind, meanings_[static_cast<size_t>(anchor)]));
  if (flow_.op(anchor).inputs.empty()) return std::move(cluster_);
  if (kind == Cluster::Kind::Contraction) join_siblings();
  return grown();
}

Cluster Grower::grow(const AttentionMatch& match) {
  start(Cluster::Kind::Contraction, match.attention.weighted, match.axes);
  cluster_.attention = match.attention;
  ranges_[match.attention.feature.name] = {0, match.attention.feature.extent - 1};
  for (const auto& [op, place] : match.members)
    if (op != cluster_.anchor) join(op, place, match.values.at(flow_.op(op).outputs[0]));
  return grown();
}

Cluster Grower::grown() {
  while (cluster_.members.size() < kMostMembers && step()) {
  }
  shed_views();
  return std::move(cluster_);
}

void Grower::start(Cluster::Kind kind, int anchor, const NamedAxes& named) {
  cluster_ = {};
  cluster_.kind = kind;
  cluster_.anchor = anchor;
  number_ = ownership_.add_cluster();
  domain_.clear();
  domain_shape_.clear();
  const Op& op = flow_.op(anchor);
  const Indexed& meaning = meanings_[static_cast<size_t>(anchor)];
  cluster_.rows = named.rows;
  cluster_.cols = named.cols;
  std::vector<ir::Axis> all = named.rows;
  all.insert(all.end(), named.cols.begin(), named.cols.end());
  ranges_ = ranges_of(all);
  Coordinate at;
  for (const ir::Axis& axis : meaning.axes) at.push_back(named.place.at(axis.name));
  if (cluster_.kind == Cluster::Kind::Rows) {
    domain_shape_ = flow_.program.type(op.inputs[0]).shape;
    domain_ = substituted(meaning.accesses[0].index, named.place);
  }
  join(anchor, named.place, at);
}

bool Grower::step() {
  std::vector<int> readers;
  std::vector<ValueId> operands;
  for (const auto& [value, at] : cluster_.values)
    for (int reader : flow_.readers(value)) readers.push_back(reader);
  for (const auto& [member, place] : cluster_.members)
    for (ValueId id : flow_.op(member).inputs)
      if (id != ir::kAbsent) operands.push_back(id);
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  for (int reader : readers)
    if (joinable(reader) && (try_consumer(reader) || try_view(reader))) return true;
  for (ValueId operand : operands)
    if (flow_.producer(operand) >= 0 && joinable(flow_.producer(operand)) && try_producer(operand)) return true;
  return false;
}

// Ops without operands (fill, range) stay apart: every reader puts their values into its own body.
bool Grower::joinable(int op) const {
  return ownership_.owner(op) == -1 && flow_.op(op).outputs.size() == 1 && !flow_.op(op).inputs.empty();
}

void Grower::join(int op, Place place, Coordinate at) {
  cluster_.members[op] = std::move(place);
  cluster_.values[flow_.op(op).outputs[0]] = std::move(at);
  ownership_.join(number_, op);
}

bool Grower::try_consumer(int op) {
  if (flow_.kind(op) != MeaningKind::Indexed) return false;
  auto place = place_of_consumer(op);
  if (!place || ownership_.closes_cycle(number_, op)) return false;
  Coordinate at;
  for (const ir::Axis& axis : meanings_[static_cast<size_t>(op)].axes) at.push_back(place->at(axis.name));
  join(op, *place, at);
  return true;
}

std::optional<Grower::Place> Grower::place_of_consumer(int op) const {
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  bool reduces = meaning.combine != ir::Combine::None;
  if (reduces && (cluster_.kind != Cluster::Kind::Rows || !is_pure_reduction(meaning))) return std::nullopt;
  Place place;
  for (const ir::Axis& axis : meaning.axes)
    if (axis.extent.is(1)) place[axis.name] = 0;
  if (!place_from_operands(op, place) || !is_one_to_one(place)) return std::nullopt;
  if (reduces) return placed_reduction(op, place) ? std::optional(place) : std::nullopt;
  bool whole = std::all_of(meaning.axes.begin(), meaning.axes.end(),
                           [&](const ir::Axis& axis) { return place.count(axis.name); });
  if (!whole && (!place_from_domain(op, place) || !is_one_to_one(place))) return std::nullopt;
  // What a row kernel would compute on its way into a reduction is not worth a store here.
  if (cluster_.kind != Cluster::Kind::Rows && only_feeds_reductions(op))
    for (ValueId id : flow_.op(op).inputs)
      if (id != ir::kAbsent && cluster_.values.count(id) && needed_outside(id, op)) return std::nullopt;
  return place;
}

// Every access to a value of the cluster must meet the point where the value is computed.
bool Grower::place_from_operands(int op, Place& place) const {
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  auto meet = [&](const ir::Access& access) {
    auto found = cluster_.values.find(flow_.op(op).inputs[static_cast<size_t>(access.operand)]);
    if (found == cluster_.values.end()) return true;
    if (access.border.rule != ir::Border::Rule::None) return false;
    if (!reads_all(meaning, access, flow_.program.type(found->first).shape)) return false;
    for (size_t d = 0; d < access.index.size(); ++d) {
      auto axis = plain_axis(access.index[d]);
      if (axis ? !settle(place, *axis, found->second[d]) : !(access.index[d] == found->second[d])) return false;
    }
    return true;
  };
  return std::all_of(meaning.accesses.begin(), meaning.accesses.end(), meet) &&
         std::all_of(meaning.after.begin(), meaning.after.end(), meet);
}

bool Grower::place_from_domain(int op, Place& place) const {
  if (domain_.empty() || flow_.program.type(flow_.op(op).outputs[0]).shape != domain_shape_) return false;
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  for (size_t d = 0; d < domain_.size(); ++d)
    if (!settle(place, meaning.axes[d].name, domain_[d])) return false;
  return true;
}

// The reduced axes are exactly the cluster's columns and the result is free of them.
bool Grower::placed_reduction(int op, const Place& place) const {
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  if (meaning.reduce.size() != cluster_.cols.size()) return false;
  std::vector<std::string> reduced;
  for (const ir::Axis& axis : meaning.reduce) {
    auto found = place.find(axis.name);
    auto name = found == place.end() ? std::nullopt : plain_axis(found->second);
    if (!name) return false;
    reduced.push_back(*name);
  }
  for (const ir::Axis& col : cluster_.cols)
    if (std::count(reduced.begin(), reduced.end(), col.name) != 1) return false;
  for (const ir::Axis& axis : meaning.axes)
    if (!place.count(axis.name) || uses_cols({place.at(axis.name)})) return false;
  return true;
}

bool Grower::try_producer(ValueId value) {
  int op = flow_.producer(value);
  if (flow_.kind(op) != MeaningKind::Indexed) return false;
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  auto at = read_at(value);
  if (!at || !is_affine(*at)) return false;
  Place place;
  for (size_t d = 0; d < at->size(); ++d) place[meaning.axes[d].name] = (*at)[d];
  if (!is_one_to_one(place)) return false;
  if (meaning.combine != ir::Combine::None) {
    if (cluster_.kind != Cluster::Kind::Rows || !covers(*at, true, false) || !place_reduction_source(op, place))
      return false;
  } else if (cluster_.kind == Cluster::Kind::Contraction) {
    if (needed_outside(value, -1)) return false;
    if (uses_cols(*at) ? cluster_.attention || !may_be_prologue(*at)
                       : !covers(*at, true, false) || needed_at_points(value))
      return false;
  } else if (!covers(*at, true, true)) {
    return false;
  }
  // What it reads from the cluster must be read at the cluster's points too.
  Place check = place;
  if (!place_from_operands(op, check) || check != place || ownership_.closes_cycle(number_, op)) return false;
  join(op, place, *at);
  return true;
}

// Operands of a product of matrices, and of a convolution of single pixels, are made ready for a tile of rows at a time.
// Columns alone would be made again by each.
bool Grower::may_be_prologue(const Coordinate& at) const {
  const ir::OpKind kind = flow_.op(cluster_.anchor).kind;
  const bool plain =
      std::all_of(at.begin(), at.end(), [](const Index& index) { return index.is(0) || plain_axis(index); });
  return plain && covers(at, false, true) && std::any_of(at.begin(), at.end(), [&](const Index& index) {
           auto axis = plain_axis(index);
           return axis && meets_weights(kind, *axis);
         });
}

// By products or by their operands, which are made before any value per row is.
bool Grower::needed_at_points(ValueId value) const {
  return std::any_of(cluster_.members.begin(), cluster_.members.end(), [&](const auto& member) {
    if (flow_.kind(member.first) != MeaningKind::Indexed) return false;
    const ir::Op& op = flow_.op(member.first);
    const Indexed& meaning = meanings_[static_cast<size_t>(member.first)];
    if (meaning.combine == ir::Combine::None && !uses_cols(cluster_.values.at(op.outputs[0]))) return false;
    return std::any_of(meaning.accesses.begin(), meaning.accesses.end(), [&](const ir::Access& access) {
      return op.inputs[static_cast<size_t>(access.operand)] == value;
    });
  });
}

bool Grower::place_reduction_source(int op, Place& place) const {
  const Indexed& meaning = meanings_[static_cast<size_t>(op)];
  if (!is_pure_reduction(meaning) || meaning.reduce.size() != cluster_.cols.size()) return false;
  for (size_t k = 0; k < meaning.reduce.size(); ++k) place[meaning.reduce[k].name] = Index::axis(cluster_.cols[k].name);
  return flow_.program.type(flow_.op(op).inputs[0]).shape == domain_shape_ &&
         substituted(meaning.accesses[0].index, place) == domain_;
}

std::optional<Coordinate> Grower::read_at(ValueId value) const {
  std::optional<Coordinate> at;
  for (const auto& [member, place] : cluster_.members) {
    if (flow_.kind(member) != MeaningKind::Indexed) continue;
    const Indexed& meaning = meanings_[static_cast<size_t>(member)];
    for (const auto* accesses : {&meaning.accesses, &meaning.after})
      for (const ir::Access& access : *accesses) {
        if (flow_.op(member).inputs[static_cast<size_t>(access.operand)] != value) continue;
        Coordinate here = substituted(access.index, place);
        if (!reads_all(meaning, access, flow_.program.type(value).shape)) return std::nullopt;
        if (access.border.rule != ir::Border::Rule::None || (at && *at != here)) return std::nullopt;
        at = here;
      }
  }
  return at;
}

Coordinate Grower::substituted(const std::vector<Index>& index, const Place& place) const {
  Coordinate result;
  for (const Index& one : index) result.push_back(one.substitute(place).simplify(ranges_));
  return result;
}

bool Grower::covers(const Coordinate& at, bool rows, bool cols) const {
  auto used = [&](const ir::Axis& axis) {
    return std::any_of(at.begin(), at.end(), [&](const Index& index) { return index.uses_axis(axis.name); });
  };
  return (!rows || std::all_of(cluster_.rows.begin(), cluster_.rows.end(), used)) &&
         (!cols || std::all_of(cluster_.cols.begin(), cluster_.cols.end(), used));
}

bool Grower::uses_cols(const Coordinate& at) const {
  return std::any_of(cluster_.cols.begin(), cluster_.cols.end(), [&](const ir::Axis& axis) {
    return std::any_of(at.begin(), at.end(), [&](const Index& index) { return index.uses_axis(axis.name); });
  });
}

bool Grower::only_feeds_reductions(int op) const {
  ValueId result = flow_.op(op).outputs[0];
  const std::vector<int>& readers = flow_.readers(result);
  return !flow_.is_output(result) && std::all_of(readers.begin(), readers.end(), [&](int reader) {
    return flow_.kind(reader) == MeaningKind::Indexed && is_pure_reduction(meanings_[static_cast<size_t>(reader)]);
  });
}

bool Grower::needed_outside(ValueId value, int except) const {
  const std::vector<int>& readers = flow_.readers(value);
  return flow_.is_output(value) || std::any_of(readers.begin(), readers.end(), [&](int reader) {
           return reader != except && !cluster_.members.count(reader);
         });
}

}  // namespace hone::partition
