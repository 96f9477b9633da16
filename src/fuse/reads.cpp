#include "fuse/reads.h"

#include <algorithm>
#include <cmath>

#include "eval/domain/element.h"

namespace hone::fuse {
namespace {

using ir::DType;
using ir::Index;
using ir::Scalar;
using ir::Shape;
using partition::Coordinate;

bool surely_inside(const Index& index, const Index& extent, const ir::Ranges& ranges) {
  auto lo = ir::lower_bound(index, ranges), hi = ir::upper_bound(index, ranges);
  return lo && hi && ir::provably_at_most(0, *lo) && ir::provably_at_most(*hi + 1, extent);
}

// A border is a fact about one dimension: it survives a view only if the view keeps every dimension that may be left.
bool keeps_border(const ir::Program& program, const ir::Op& view, const Read& read, const ir::Ranges& ranges) {
  const Shape& shape = program.type(view.outputs[0]).shape;
  const Shape& from = program.type(view.inputs[0]).shape;
  Coordinate plain;
  std::vector<ir::Axis> axes;
  for (size_t k = 0; k < shape.size(); ++k) {
    axes.push_back({fmt::format("d{}", k), shape[k]});
    plain.push_back(Index::axis(axes.back().name));
  }
  Coordinate map = partition::backward(program, view, plain, partition::ranges_of(axes));
  for (size_t k = 0; k < shape.size(); ++k) {
    if (surely_inside(read.index[k], shape[k], ranges)) continue;
    int uses = 0, kept = 0;
    for (size_t d = 0; d < map.size(); ++d) {
      uses += map[d].uses_axis(axes[k].name);
      kept += partition::plain_axis(map[d]) == axes[k].name && from[d] == shape[k];
    }
    if (uses != 1 || kept != 1) return false;
  }
  return true;
}

// Null for types that a body cannot write down.
Scalar first_element(DType type, const ir::ConstantData& data) {
  if (ir::is_storage(type) || type == DType::U64) return nullptr;
  if (ir::is_float(type)) return ir::constant(type, eval::load_real(type, data.data));
  int64_t whole = eval::load_whole(type, data.data);
  return type == DType::Bool ? ir::constant(type, whole != 0 ? 1 : 0) : ir::integer_constant(type, whole);
}

std::optional<Index> integer_of(const Scalar& scalar) {
  if (scalar->kind == ir::ScalarNode::Kind::IndexValue) return scalar->index;
  if (scalar->kind == ir::ScalarNode::Kind::Constant && ir::is_integer(scalar->type)) return Index(scalar->integer);
  return std::nullopt;
}

Scalar single_element(const ir::Value& value) {
  for (const Index& extent : value.type.shape)
    if (!extent.is(1)) return nullptr;
  if (value.constant) return first_element(value.type.dtype, *value.constant);
  if (value.known && value.known->size() == 1 && ir::is_integer(value.type.dtype)) {
    const Index& size = value.known->front();
    return size.constant() ? ir::integer_constant(value.type.dtype, *size.constant())
                           : ir::index_value(value.type.dtype, size);
  }
  return nullptr;
}

// A multiple of 1/1024 of modest size, or beyond all measured quantities.
bool is_round(double value) {
  return !std::isfinite(value) || std::abs(value) >= 1e6 || value * 1024 == std::floor(value * 1024);
}

}  // namespace

Read resolved(const Scope& scope, Read read, const ir::Ranges& ranges, Through through) {
  const ir::Program& program = scope.flow().program;
  for (;;) {
    int producer = scope.flow().producer(read.value);
    if (producer < 0 || scope.parts.owner(producer) >= 0 || scope.flow().kind(producer) != ir::MeaningKind::View)
      return read;
    const ir::Op& view = scope.flow().op(producer);
    if (view.kind == ir::OpKind::Concat || scope.materialised.count(read.value)) return read;
    if (read.border.rule != ir::Border::Rule::None && !keeps_border(program, view, read, ranges)) return read;
    Coordinate further = partition::backward(program, view, read.index, ranges);
    bool divides = !partition::is_affine(further) && partition::is_affine(read.index);
    if (divides && through == Through::AffineViews) return read;
    read.value = view.inputs[0];
    read.index = std::move(further);
  }
}

Route affine_route(const Scope& scope, ir::ValueId value) {
  Route route{value, {}};
  std::vector<ir::Axis> axes;
  Coordinate at;
  for (const Index& extent : scope.flow().program.type(value).shape) {
    axes.push_back({fmt::format("a{}", axes.size()), extent});
    at.push_back(extent.is(1) ? Index(0) : Index::axis(axes.back().name));
  }
  ir::Ranges ranges = partition::ranges_of(axes);
  for (;;) {
    int producer = scope.flow().producer(route.root);
    if (producer < 0 || scope.parts.owner(producer) >= 0 || scope.flow().kind(producer) != ir::MeaningKind::View)
      return route;
    const ir::Op& view = scope.flow().op(producer);
    if (view.kind == ir::OpKind::Concat || scope.materialised.count(route.root)) return route;
    at = partition::backward(scope.flow().program, view, at, ranges);
    if (!partition::is_affine(at)) return route;
    route.root = view.inputs[0];
    route.views.push_back(producer);
  }
}

Coordinate along(const Scope& scope, const Route& route, Coordinate at, const ir::Ranges& ranges) {
  for (int view : route.views) at = partition::backward(scope.flow().program, scope.flow().op(view), at, ranges);
  return at;
}

std::optional<ir::ValueId> unmaterialised_view(const Scope& scope, const Read& read) {
  int producer = scope.flow().producer(read.value);
  if (read.inside || producer < 0 || scope.parts.owner(producer) >= 0) return std::nullopt;
  bool view =
      scope.flow().kind(producer) == ir::MeaningKind::View && scope.flow().op(producer).kind != ir::OpKind::Concat;
  if (!view || scope.materialised.count(read.value)) return std::nullopt;
  return read.value;
}

void find_learned(Scope& scope) {
  constexpr size_t kFew = 8;
  std::map<double, int> uses;
  std::map<ir::ValueId, double> unround;
  const std::vector<ir::Value>& values = scope.flow().program.values;
  for (size_t i = 0; i < values.size(); ++i) {
    Scalar element = values[i].constant && ir::is_float(values[i].type.dtype) ? single_element(values[i]) : nullptr;
    if (!element || is_round(element->number)) continue;
    ir::ValueId id = static_cast<ir::ValueId>(i);
    unround[id] = element->number;
    uses[element->number] += static_cast<int>(scope.flow().readers(id).size());
  }
  for (const auto& [id, number] : unround)
    if (uses.at(number) == 1) scope.learned.insert(id);
  if (scope.learned.size() <= kFew) scope.learned.clear();
}

Scalar literal(const Scope& scope, const Read& read) {
  if (read.inside || scope.learned.count(read.value)) return nullptr;
  if (Scalar element = single_element(scope.flow().value(read.value))) return element;
  int producer = scope.flow().producer(read.value);
  if (producer < 0 || scope.flow().kind(producer) != ir::MeaningKind::Indexed) return nullptr;
  if (!scope.flow().op(producer).inputs.empty() || read.border.rule != ir::Border::Rule::None) return nullptr;
  ir::Indexed meaning = ir::indexed_meaning(scope.flow().program, scope.flow().op(producer));
  std::map<std::string, Index> place;
  for (size_t d = 0; d < read.index.size(); ++d) place[meaning.axes[d].name] = read.index[d];
  return ir::replace_indices(meaning.body, [&](const Index& index) { return index.substitute(place); });
}

void inline_literals(const Scope& scope, std::vector<Read>& reads, Scalar& body, int first) {
  std::vector<Scalar> values;
  std::vector<int> renumbered;
  std::vector<Read> kept;
  for (Read& read : reads) {
    values.push_back(literal(scope, read));
    renumbered.push_back(static_cast<int>(kept.size()) + first);
    // An index that reads a constant becomes that number.
    for (Index& index : read.index)
      index = index.replace_reads([&](int k) {
        auto at = static_cast<size_t>(k - first);
        auto number = values[at] ? integer_of(values[at]) : std::nullopt;
        return number ? *number : Index::read(renumbered[at]);
      });
    if (!values.back()) kept.push_back(std::move(read));
  }
  body = ir::replace_accesses(body, [&](int k, DType type) {
    auto at = static_cast<size_t>(k - first);
    if (k < first) return ir::access_value(type, k);
    return values[at] ? values[at] : ir::access_value(type, renumbered[at]);
  });
  reads = std::move(kept);
}

}  // namespace hone::fuse
