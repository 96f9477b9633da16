// The part of Grower that takes views into a cluster, and lets them go again.
#include <algorithm>

#include "partition/grow.h"

namespace hone::partition {
namespace {

using ir::Index;
using ir::MeaningKind;
using ir::Op;
using ir::ValueId;

bool is_slide(ir::OpKind kind) {
  return kind == ir::OpKind::Conv || kind == ir::OpKind::ConvTranspose;
}

}  // namespace

bool Grower::try_view(int op) {
  if (flow_.kind(op) != MeaningKind::View) return false;
  auto found = cluster_.values.find(flow_.op(op).inputs[0]);
  if (found == cluster_.values.end()) return false;
  auto at = forward(flow_.program, flow_.op(op), found->second, ranges_);
  if (!at || !is_affine(*at) || ownership_.closes_cycle(number_, op)) return false;
  join(op, {}, *at);
  return true;
}

// Views at the rim go again, unless storing through them serves the readers.
void Grower::shed_views() {
  std::vector<int> members;
  for (const auto& [member, place] : cluster_.members) members.push_back(member);
  for (size_t i = members.size(); i-- > 0;) {
    if (flow_.kind(members[i]) != MeaningKind::View || worth_keeping(members[i])) continue;
    cluster_.values.erase(flow_.op(members[i]).outputs[0]);
    cluster_.members.erase(members[i]);
    ownership_.leave(members[i]);
  }
}

bool Grower::worth_keeping(int view) const {
  const Op& op = flow_.op(view);
  ValueId result = op.outputs[0];
  const std::vector<int>& readers = flow_.readers(result);
  if (std::any_of(readers.begin(), readers.end(), [&](int reader) { return cluster_.members.count(reader) > 0; }))
    return true;
  if (needed_outside(op.inputs[0], view)) return false;
  if (flow_.is_output(result)) return true;
  if (readers.size() == 1 && flow_.op(readers[0]).kind == ir::OpKind::Concat) return true;
  if (op.kind != ir::OpKind::Reshape) return false;
  // A reader of merged dimensions would have to divide. Channels stay apart from the pixels of an image.
  std::vector<ir::Axis> axes;
  Coordinate at;
  for (const Index& extent : flow_.program.type(result).shape) {
    axes.push_back({fmt::format("d{}", axes.size()), extent});
    at.push_back(extent.is(1) ? Index(0) : Index::axis(axes.back().name));
  }
  if (is_affine(backward(flow_.program, op, at, ranges_of(axes)))) return false;
  if (!is_slide(flow_.op(cluster_.anchor).kind)) return true;
  const Coordinate& here = cluster_.values.at(result);
  return std::all_of(here.begin(), here.end(),
                     [](const Index& index) { return !index.uses_axis("o") || plain_axis(index); });
}

}  // namespace hone::partition
