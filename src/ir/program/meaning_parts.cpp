#include "ir/program/meaning_parts.h"

namespace hone::ir {

Index result_axis(size_t number) {
  return Index::axis(fmt::format("d{}", number));
}

std::vector<Axis> result_axes(const Shape& shape) {
  std::vector<Axis> axes;
  for (size_t i = 0; i < shape.size(); ++i) axes.push_back({fmt::format("d{}", i), shape[i]});
  return axes;
}

std::vector<Index> identity_index(size_t rank) {
  std::vector<Index> index;
  for (size_t i = 0; i < rank; ++i) index.push_back(result_axis(i));
  return index;
}

std::vector<Index> broadcast_index(const Shape& operand, const Shape& result) {
  HONE_CHECK(operand.size() <= result.size(), "{} is broadcast to {}", shape_text(operand), shape_text(result));
  size_t shift = result.size() - operand.size();
  std::vector<Index> index;
  for (size_t i = 0; i < operand.size(); ++i) {
    Index axis = result_axis(i + shift);
    if (operand[i].is(1))
      index.push_back(0);
    else if (operand[i] == result[i + shift] || operand[i].constant())
      index.push_back(axis);
    else
      index.push_back(min(axis, operand[i] - 1));
  }
  return index;
}

Index add_reduce(Indexed& meaning, const Index& extent) {
  if (extent.is(1)) return 0;
  std::string name = fmt::format("r{}", meaning.reduce.size());
  meaning.reduce.push_back({name, extent});
  return Index::axis(name);
}

bool surely_inside(const Indexed& meaning, const std::vector<Index>& index, const Shape& operand) {
  Ranges ranges;
  for (const Axis& axis : meaning.axes) ranges[axis.name] = {0, axis.extent - 1};
  for (const Axis& axis : meaning.reduce) ranges[axis.name] = {0, axis.extent - 1};
  for (size_t i = 0; i < index.size(); ++i) {
    auto lo = lower_bound(index[i], ranges), hi = upper_bound(index[i], ranges);
    if (!lo || !hi || !provably_at_most(0, *lo) || !provably_at_most(*hi + 1, operand[i])) return false;
  }
  return true;
}

namespace {

// The same computation in f32, from leaves that are converted. `@0` of a finish already is.
Scalar in_f32(const Scalar& scalar, bool is_finish) {
  if (!is_half(scalar->type)) return scalar;
  switch (scalar->kind) {
    case ScalarNode::Kind::Constant:
      return constant(DType::F32, scalar->number);
    case ScalarNode::Kind::IndexValue:
      return index_value(DType::F32, scalar->index);
    case ScalarNode::Kind::Access:
      return is_finish && scalar->access == 0 ? access_value(DType::F32, 0) : cast(DType::F32, scalar);
    case ScalarNode::Kind::Cast:
    case ScalarNode::Kind::Bits:
      return cast(DType::F32, scalar);
    case ScalarNode::Kind::Operation:
      break;
  }
  std::vector<Scalar> args;
  for (const Scalar& arg : scalar->args) args.push_back(in_f32(arg, is_finish));
  return apply(scalar->op, std::move(args));
}

}  // namespace

Indexed formed_wide(Indexed meaning) {
  bool sums = meaning.combine == Combine::Sum || meaning.combine == Combine::Prod;
  if (!sums || !is_half(meaning.type)) return meaning;
  meaning.body = in_f32(meaning.body, false);
  Scalar combined = meaning.finish ? in_f32(meaning.finish, true) : access_value(DType::F32, 0);
  meaning.finish = cast(meaning.type, combined);
  return meaning;
}

Indexed settled(Indexed meaning) {
  if (!meaning.reduce.empty()) return meaning;
  meaning.combine = Combine::None;
  if (!meaning.finish) return meaning;
  int shift = static_cast<int>(meaning.accesses.size()) - 1;
  meaning.body = replace_accesses(meaning.finish, [&](int access, DType type) {
    return access == 0 ? meaning.body : access_value(type, access + shift);
  });
  meaning.accesses.insert(meaning.accesses.end(), meaning.after.begin(), meaning.after.end());
  meaning.after.clear();
  meaning.finish = nullptr;
  return meaning;
}

}  // namespace hone::ir
