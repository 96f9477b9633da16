#include "partition/coordinate.h"

#include <algorithm>

namespace hone::partition {
namespace {

using ir::Index;
using ir::IndexAtom;
using ir::Shape;

bool divides(const Index& a, const Index& b) {
  return ir::mod(b, a).is(0);
}

// Two runs of dimensions, [from_begin, from_end) and [to_begin, to_end), that hold equally many elements.
struct Run {
  size_t from_begin, from_end, to_begin, to_end;
};

// Whether the run's `from` side has to grow to meet the `to` side; nothing if that cannot be told.
std::optional<bool> from_is_smaller(const Index& from, const Index& to) {
  if (from.constant() && to.constant()) return *from.constant() < *to.constant();
  if (!from.is(0) && divides(from, to)) return true;
  if (!to.is(0) && divides(to, from)) return false;
  return std::nullopt;
}

std::vector<Run> matching_runs(const Shape& from, const Shape& to) {
  std::vector<Run> runs;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Run run{i, i, j, j};
    Index left = 1, right = 1;
    auto take_left = [&] { left = left * from[i++]; };
    auto take_right = [&] { right = right * to[j++]; };
    bool from_ended = i == from.size();
    if (!from_ended) take_left();
    // A dimension of one element on the left stands alone unless one stands opposite.
    if (j < to.size() && (from_ended || !left.is(1) || to[j].is(1))) take_right();
    while (!(left == right)) {
      bool can_left = i < from.size(), can_right = j < to.size();
      if (!can_left && !can_right) break;
      bool grow_left = from_is_smaller(left, right).value_or(can_left);
      if (grow_left ? can_left : !can_right)
        take_left();
      else
        take_right();
    }
    run.from_end = i;
    run.to_end = j;
    runs.push_back(run);
  }
  return runs;
}

void move_run(const Shape& from, const Shape& to, const Run& run, const Coordinate& at, const ir::Ranges& ranges,
              Coordinate& result) {
  // A run with one dimension other than 1 on either side is that dimension.
  auto only = [](const Shape& shape, size_t begin, size_t end) {
    std::optional<size_t> found;
    for (size_t k = begin; k < end; ++k) {
      if (shape[k].is(1)) continue;
      if (found) return std::optional<size_t>();
      found = k;
    }
    return found;
  };
  auto source = only(from, run.from_begin, run.from_end), target = only(to, run.to_begin, run.to_end);
  if (source && target) {
    result[*target] = at[*source];
    return;
  }
  Index linear = 0;
  for (size_t k = run.from_begin; k < run.from_end; ++k) linear = linear * from[k] + at[k];
  linear = linear.simplify(ranges);
  for (size_t k = run.to_end; k-- > run.to_begin;) {
    if (to[k].is(1)) continue;
    bool first = std::all_of(to.begin() + static_cast<long>(run.to_begin), to.begin() + static_cast<long>(k),
                             [](const Index& dim) { return dim.is(1); });
    result[k] = first ? linear : ir::mod(linear, to[k]).simplify(ranges);
    linear = ir::floor_div(linear, to[k]).simplify(ranges);
  }
}

}  // namespace

bool is_affine(const Index& index) {
  for (const ir::IndexTerm& term : index.terms())
    for (const ir::AtomPtr& atom : term.factors)
      if (!atom->args.empty() && !index.axes().empty()) {
        bool varies =
            std::any_of(atom->args.begin(), atom->args.end(), [](const Index& arg) { return !arg.axes().empty(); });
        if (varies) return false;
      }
  return true;
}

bool is_affine(const Coordinate& at) {
  return std::all_of(at.begin(), at.end(), [](const Index& index) { return is_affine(index); });
}

std::optional<std::string> plain_axis(const Index& index) {
  if (index.terms().size() != 1) return std::nullopt;
  const ir::IndexTerm& term = index.terms()[0];
  if (term.coefficient != 1 || term.factors.size() != 1 || term.factors[0]->kind != IndexAtom::Kind::Axis)
    return std::nullopt;
  return term.factors[0]->name;
}

ir::Ranges ranges_of(const std::vector<ir::Axis>& axes) {
  ir::Ranges ranges;
  for (const ir::Axis& axis : axes) ranges[axis.name] = {0, axis.extent - 1};
  return ranges;
}

Coordinate reshaped(const Shape& from, const Shape& to, const Coordinate& at, const ir::Ranges& ranges) {
  Coordinate result(to.size(), Index(0));
  for (const Run& run : matching_runs(from, to)) move_run(from, to, run, at, ranges, result);
  return result;
}

std::optional<Coordinate> forward(const ir::Program& program, const ir::Op& view, const Coordinate& at,
                                  const ir::Ranges& ranges) {
  const Shape& from = program.type(view.inputs[0]).shape;
  const Shape& to = program.type(view.outputs[0]).shape;
  if (view.kind == ir::OpKind::Reshape) return reshaped(from, to, at, ranges);
  if (view.kind == ir::OpKind::Identity) return at;
  if (view.kind != ir::OpKind::Transpose) return std::nullopt;
  Coordinate result(to.size(), Index(0));
  ir::View meaning = ir::view_meaning(program, view);
  for (size_t k = 0; k < from.size(); ++k) {
    auto axis = plain_axis(meaning.pieces[0].map[k]);
    if (!axis) continue;  // a dimension of one element
    result[static_cast<size_t>(std::stoi(axis->substr(1)))] = at[k];
  }
  return result;
}

Coordinate backward(const ir::Program& program, const ir::Op& view, const Coordinate& at, const ir::Ranges& ranges) {
  if (view.kind == ir::OpKind::Reshape)
    return reshaped(program.type(view.outputs[0]).shape, program.type(view.inputs[0]).shape, at, ranges);
  ir::View meaning = ir::view_meaning(program, view);
  HONE_CHECK(meaning.pieces.size() == 1, "{} '{}' has {} pieces", ir::name_of(view.kind), view.name,
             meaning.pieces.size());
  std::map<std::string, Index> by_name;
  for (size_t k = 0; k < at.size(); ++k) by_name[fmt::format("d{}", k)] = at[k];
  Coordinate result;
  for (const Index& index : meaning.pieces[0].map) result.push_back(index.substitute(by_name).simplify(ranges));
  return result;
}

}  // namespace hone::partition
