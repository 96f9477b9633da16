#include "partition/cluster.h"

#include <algorithm>
#include <set>

#include "partition/grow.h"

namespace hone::partition {

using ir::Combine;
using ir::Indexed;
using ir::MeaningKind;

bool is_pure_reduction(const Indexed& meaning) {
  if (meaning.combine == Combine::None || meaning.accesses.size() != 1) return false;
  const ir::Access& access = meaning.accesses[0];
  if (access.border.rule != ir::Border::Rule::None) return false;
  std::set<std::string> seen;
  for (const ir::Index& index : access.index) {
    if (index.is(0)) continue;
    auto axis = plain_axis(index);
    if (!axis || !seen.insert(*axis).second) return false;
  }
  for (const ir::Axis& axis : meaning.reduce)
    if (!seen.count(axis.name)) return false;
  return true;
}

Partition partition(const ir::Program& program, Attentions attentions) {
  Partition result;
  result.flow = flow_of(program);
  const Flow& flow = result.flow;
  size_t count = flow.program.ops.size();
  std::vector<Indexed> meanings(count);
  for (size_t i = 0; i < count; ++i)
    if (flow.kind(static_cast<int>(i)) == MeaningKind::Indexed)
      meanings[i] = ir::indexed_meaning(flow.program, flow.program.ops[i]);

  Ownership ownership(flow);
  Grower grower(flow, ownership, meanings);
  auto kind_of = [&](size_t op) {
    if (meanings[op].combine == Combine::None) return Cluster::Kind::Elementwise;
    return is_pure_reduction(meanings[op]) ? Cluster::Kind::Rows : Cluster::Kind::Contraction;
  };
  auto is_free = [&](const auto& member) { return ownership.owner(member.first) == -1; };
  for (size_t i = 0; i < count && attentions == Attentions::Whole; ++i) {
    if (flow.kind(static_cast<int>(i)) != MeaningKind::Indexed) continue;
    auto match = match_attention(flow, meanings, static_cast<int>(i));
    if (match && std::all_of(match->members.begin(), match->members.end(), is_free))
      result.clusters.push_back(grower.grow(*match));
  }
  // The dearest first: each takes the cheap ops around it.
  for (Cluster::Kind kind : {Cluster::Kind::Contraction, Cluster::Kind::Rows, Cluster::Kind::Elementwise})
    for (size_t i = 0; i < count; ++i) {
      int op = static_cast<int>(i);
      if (flow.kind(op) == MeaningKind::Indexed && ownership.owner(op) == -1 && kind_of(i) == kind)
        result.clusters.push_back(grower.grow(kind, op));
    }
  for (size_t i = 0; i < count; ++i) result.owners.push_back(ownership.owner(static_cast<int>(i)));
  result.order = ownership.order();
  return result;
}

}  // namespace hone::partition
