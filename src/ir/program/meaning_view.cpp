#include "ir/program/meaning_parts.h"

namespace hone::ir {
namespace {

// Reshape, run by run. Both shapes are cut where their leading dimensions hold equally many elements; within a run the
// indices of the result become one offset, which is split again by the operand's dimensions. Splits, merges and unit
// dimensions so come out affine, whatever stands before and after them.
class ReshapeMap {
 public:
  ReshapeMap(const Shape& from, const Shape& to) : from_(from), to_(to), map_(from.size(), Index(0)) {}

  std::vector<Index> build() {
    if (product(to_).is(0) || product(from_).is(0)) return map_;  // no points
    size_t i = 0, j = 0;
    Index before = 1;  // elements of from[0, k)
    for (size_t k = 0; k < from_.size(); ++k) {
      before = before * from_[k];
      if (auto cut = end_of_run(j, before)) {
        map_run(i, k + 1, j, *cut);
        i = k + 1;
        j = *cut;
      }
    }
    map_run(i, from_.size(), j, to_.size());
    return map_;
  }

 private:
  // The first end past j whose leading dimensions hold `elements`.
  std::optional<size_t> end_of_run(size_t j, const Index& elements) const {
    Index held = product({to_.begin(), to_.begin() + j});
    for (size_t end = j; end <= to_.size(); ++end) {
      if (held == elements) return end;
      if (end < to_.size()) held = held * to_[end];
    }
    return std::nullopt;
  }

  void map_run(size_t i, size_t i_end, size_t j, size_t j_end) {
    Index offset = 0;
    Ranges ranges;
    for (; j < j_end; ++j) {
      offset = offset * to_[j];
      if (to_[j].is(1)) continue;
      offset = offset + result_axis(j);
      ranges[fmt::format("d{}", j)] = {0, to_[j] - 1};
    }
    bool leading = true;
    for (; i < i_end; ++i) {
      if (from_[i].is(1)) continue;
      Index stride = product({from_.begin() + i + 1, from_.begin() + i_end});
      Index index = floor_div(offset, stride).simplify(ranges);
      map_[i] = leading ? index : mod(index, from_[i]).simplify(ranges);
      leading = false;
    }
  }

  const Shape &from_, &to_;
  std::vector<Index> map_;
};

std::vector<Index> transpose_map(const Op& op) {
  std::vector<int64_t> order = op.integers("perm");
  std::vector<Index> map(order.size());
  for (size_t k = 0; k < order.size(); ++k) map[static_cast<size_t>(order[k])] = result_axis(k);
  return map;
}

std::vector<Index> slice_map(const Op& op, const Shape& from) {
  std::vector<int64_t> starts = op.integers("starts", std::vector<int64_t>(from.size(), 0));
  std::vector<int64_t> steps = op.integers("steps", std::vector<int64_t>(from.size(), 1));
  std::vector<Index> map;
  for (size_t i = 0; i < from.size(); ++i)
    map.push_back((starts[i] < 0 ? from[i] : Index(0)) + starts[i] + result_axis(i) * steps[i]);
  return map;
}

View concat_view(const Program& program, const Op& op) {
  size_t rank = input_type(program, op, 0).shape.size();
  View view;
  view.axis = *axis_attribute(op, "axis", 0, rank);
  size_t axis = static_cast<size_t>(view.axis);
  Index begin = 0;
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    std::vector<Index> map = identity_index(rank);
    map[axis] = map[axis] - begin;
    view.pieces.push_back({static_cast<int>(k), map, begin});
    begin = begin + input_type(program, op, k).shape[axis];
  }
  return view;
}

}  // namespace

View view_meaning(const Program& program, const Op& op) {
  const Shape &from = input_type(program, op, 0).shape, &to = program.type(op.outputs[0]).shape;
  auto whole = [](std::vector<Index> map) { return View{0, {{0, std::move(map), 0}}}; };
  switch (op.kind) {
    case OpKind::Reshape:
      return whole(ReshapeMap(from, to).build());
    case OpKind::Transpose:
      return whole(transpose_map(op));
    case OpKind::Slice:
      return whole(slice_map(op, from));
    case OpKind::Expand:
      return whole(broadcast_index(from, to));
    case OpKind::Concat:
      return concat_view(program, op);
    case OpKind::Identity:
      return whole(identity_index(from.size()));
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a view", name_of(op.kind));
}

}  // namespace hone::ir
