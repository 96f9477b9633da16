// The part of Grower that merges products of the same rows: queries, keys and values of an attention, gate and up of a gated layer.
#include <algorithm>

#include "partition/axes.h"
#include "partition/grow.h"

namespace hone::partition {
namespace {

// Each has accumulators of its own, and the registers are shared.
constexpr int kMostProducts = 3;
// Fewer rows wait for the weights to come from memory, which delivers those of one product sooner: more panels lie side by side.
constexpr int64_t kFewRows = 16;

bool same_axes(const std::vector<ir::Axis>& a, const std::vector<ir::Axis>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ir::Axis& one, const ir::Axis& other) {
    return one.name == other.name && one.extent == other.extent;
  });
}

// All but the columns of the result.
bool has_many_rows(const std::vector<ir::Axis>& axes) {
  int64_t rows = 1;
  for (const ir::Axis& axis : axes)
    if (axis.name != "n") rows *= axis.extent.constant().value_or(0);
  return rows >= kFewRows;
}

}  // namespace

// One pass over the rows then serves all, and what follows any of them finds the results of the others at its points.
void Grower::join_siblings() {
  const int anchor = cluster_.anchor;
  if (!is_product(flow_.op(anchor).kind) || !has_many_rows(cluster_.rows)) return;
  const ir::ValueId rows = flow_.op(anchor).inputs[0];
  int products = 1;
  for (int other : flow_.readers(rows)) {
    const ir::Op& op = flow_.op(other);
    const bool waits = std::any_of(op.inputs.begin(), op.inputs.end(),
                                   [&](ir::ValueId input) { return cluster_.values.count(input) > 0; });
    if (other == anchor || waits || op.kind != flow_.op(anchor).kind || op.inputs[0] != rows || op.inputs[1] == rows ||
        !joinable(other) || products == kMostProducts)
      continue;
    const ir::Indexed& meaning = meanings_[static_cast<size_t>(other)];
    const NamedAxes named = name_axes(op.kind, meaning);
    auto where = [&](int number, const Place& place) {
      return substituted(meanings_[static_cast<size_t>(number)].accesses[0].index, place);
    };
    if (!same_axes(named.rows, cluster_.rows) || !same_axes(named.cols, cluster_.cols) ||
        where(other, named.place) != where(anchor, cluster_.members.at(anchor)) ||
        ownership_.closes_cycle(number_, other))
      continue;
    Coordinate at;
    for (const ir::Axis& axis : meaning.axes) at.push_back(named.place.at(axis.name));
    join(other, named.place, at);
    ++products;
  }
}

}  // namespace hone::partition
