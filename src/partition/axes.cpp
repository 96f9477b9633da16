#include "partition/axes.h"

#include <algorithm>

namespace hone::partition {
namespace {

using ir::Index;
using ir::OpKind;

bool is_convolution(OpKind kind) {
  return kind == OpKind::Conv || kind == OpKind::ConvTranspose;
}

bool slides(OpKind kind) {
  return is_convolution(kind) || kind == OpKind::MaxPool || kind == OpKind::AveragePool;
}

// The last `rank` of h, i, j; more dimensions are numbered.
std::string spatial_name(size_t number, size_t rank) {
  if (rank > 3) return fmt::format("i{}", number);
  return std::string(1, "hij"[3 - rank + number]);
}

std::string row_name(OpKind kind, size_t number, size_t rank) {
  if (slides(kind)) {
    if (number == 0) return "n";
    if (number == 1) return is_convolution(kind) ? "o" : "c";
    return spatial_name(number - 2, rank - 2);
  }
  if (is_product(kind)) {
    if (number + 1 == rank) return "n";
    if (number + 2 == rank) return "m";
    return fmt::format("b{}", number);
  }
  return fmt::format("e{}", number);
}

std::string tap_name(size_t number) {
  return number < 3 ? std::string(1, "uvw"[number]) : fmt::format("u{}", number);
}

// The axis of `axis + number`.
std::optional<std::string> shifted_axis(const Index& index) {
  for (const std::string& name : index.axes())
    if ((index - Index::axis(name)).constant()) return name;
  return std::nullopt;
}

}  // namespace

bool is_product(OpKind kind) {
  return kind == OpKind::MatMul || kind == OpKind::Gemm;
}

bool meets_weights(OpKind kind, const std::string& axis) {
  if (is_product(kind)) return axis[0] == 'm';
  return kind == OpKind::Conv && (axis[0] == 'h' || axis[0] == 'i' || axis[0] == 'j');
}

std::optional<Split> find_split(const Index& index, const std::vector<ir::Axis>& axes) {
  using Kind = ir::IndexAtom::Kind;
  for (const ir::IndexTerm& term : index.terms())
    for (const ir::AtomPtr& atom : term.factors) {
      for (const Index& arg : atom->args)
        if (auto inner = find_split(arg, axes)) return inner;
      if (atom->kind != Kind::FloorDiv && atom->kind != Kind::Mod) continue;
      auto name = shifted_axis(atom->args[0]);
      if (!name || !atom->args[1].axes().empty()) continue;
      auto axis = std::find_if(axes.begin(), axes.end(), [&](const ir::Axis& one) { return one.name == *name; });
      if (axis != axes.end() && !(axis->extent == atom->args[1]) && ir::mod(axis->extent, atom->args[1]).is(0))
        return Split{*name, atom->args[1]};
    }
  return std::nullopt;
}

std::map<std::string, Index> apply_split(const Split& split, const std::vector<std::vector<ir::Axis>*>& lists) {
  auto taken = [&](const std::string& name) {
    return std::any_of(lists.begin(), lists.end(), [&](const std::vector<ir::Axis>* axes) {
      return std::any_of(axes->begin(), axes->end(), [&](const ir::Axis& axis) { return axis.name == name; });
    });
  };
  std::string outer = split.axis + "o", inner = split.axis + "i";
  while (taken(outer) || taken(inner)) {
    outer += "o";
    inner += "i";
  }
  for (std::vector<ir::Axis>* axes : lists)
    for (size_t k = 0; k < axes->size(); ++k) {
      if ((*axes)[k].name != split.axis) continue;
      (*axes)[k] = {outer, ir::floor_div((*axes)[k].extent, split.by)};
      axes->insert(axes->begin() + static_cast<long>(k) + 1, {inner, split.by});
      break;
    }
  return {{split.axis, Index::axis(outer) * split.by + Index::axis(inner)}};
}

bool is_tap(const ir::Indexed& meaning, const std::string& axis) {
  for (const ir::Access& access : meaning.accesses)
    for (const ir::Index& index : access.index)
      if (index.uses_axis(axis))
        for (const ir::Axis& row : meaning.axes)
          if (!row.extent.is(1) && index.uses_axis(row.name) && index.linear_in(axis)) return true;
  return false;
}

NamedAxes name_axes(OpKind kind, const ir::Indexed& meaning) {
  NamedAxes named;
  auto add = [&](std::vector<ir::Axis>& list, const ir::Axis& axis, std::string name) {
    if (axis.extent.is(1)) {
      named.place[axis.name] = 0;
      return;
    }
    named.place[axis.name] = ir::Index::axis(name);
    list.push_back({std::move(name), axis.extent});
  };
  for (size_t i = 0; i < meaning.axes.size(); ++i)
    add(named.rows, meaning.axes[i], row_name(kind, i, meaning.axes.size()));
  size_t taps = 0, plain = 0;
  for (const ir::Axis& axis : meaning.reduce) {
    bool tap = slides(kind) && is_tap(meaning, axis.name);
    std::string name;
    if (tap)
      name = tap_name(taps++);
    else
      name = fmt::format("{}{}", is_convolution(kind) ? "c" : "k", plain == 0 ? "" : std::to_string(plain)), ++plain;
    add(named.cols, axis, std::move(name));
  }
  return named;
}

}  // namespace hone::partition
