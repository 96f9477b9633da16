#include "eval/index_code.h"

#include <algorithm>

namespace hone::eval {
namespace {

using Kind = ir::IndexAtom::Kind;

int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

int64_t floor_mod(int64_t a, int64_t b) {
  return a - floor_div(a, b) * b;
}

// The index that the border rule reads instead of one outside [0, size).
int64_t bordered(ir::Border::Rule rule, int64_t index, int64_t size) {
  switch (rule) {
    case ir::Border::Rule::None:
      return AccessCode::kOutside;
    case ir::Border::Rule::Fill:
      return AccessCode::kFill;
    case ir::Border::Rule::Clamp:
      return size == 0 ? AccessCode::kOutside : std::clamp<int64_t>(index, 0, size - 1);
    case ir::Border::Rule::Reflect: {
      if (size <= 1) return size - 1;
      int64_t place = floor_mod(index, 2 * (size - 1));
      return place < size ? place : 2 * (size - 1) - place;
    }
    case ir::Border::Rule::Wrap:
      return size == 0 ? AccessCode::kOutside : floor_mod(index, size);
  }
  return AccessCode::kOutside;
}

}  // namespace

IndexCode::IndexCode(const ir::Index& index, const AxisSlots& axes, const Sizes& sizes) {
  for (const ir::IndexTerm& term : index.terms()) {
    Product product{term.coefficient, {}};
    for (const ir::AtomPtr& atom : term.factors) {
      auto slot = axes.find(atom->name);
      bool named = atom->kind == Kind::Axis || atom->kind == Kind::Symbol;
      if (named && slot == axes.end()) {
        product.coefficient *= size_of(ir::Index::symbol(atom->name), sizes);
        continue;
      }
      Atom made{named ? Kind::Axis : atom->kind, named ? slot->second : atom->slot, {}};
      for (const ir::Index& arg : atom->args) made.args.emplace_back(arg, axes, sizes);
      product.atoms.push_back(std::move(made));
    }
    if (product.atoms.empty())
      constant_ += product.coefficient;
    else if (product.atoms.size() == 1 && product.atoms[0].kind == Kind::Axis)
      affine_.push_back({product.atoms[0].slot, product.coefficient});
    else
      products_.push_back(std::move(product));
  }
}

int64_t IndexCode::Atom::run(const int64_t* axes, const int64_t* reads) const {
  auto arg = [&](size_t i) { return args[i].run(axes, reads); };
  switch (kind) {
    case Kind::Axis:
      return axes[slot];
    case Kind::Read:
      return reads[slot];
    case Kind::FloorDiv:
      return floor_div(arg(0), arg(1));
    case Kind::Mod:
      return floor_mod(arg(0), arg(1));
    case Kind::Min:
      return std::min(arg(0), arg(1));
    case Kind::Max:
      return std::max(arg(0), arg(1));
    case Kind::Symbol:
      break;
  }
  HONE_CHECK(false, "a symbol is left in index code");
}

int64_t IndexCode::run_products(const int64_t* axes, const int64_t* reads) const {
  int64_t sum = 0;
  for (const Product& product : products_) {
    int64_t value = product.coefficient;
    for (const Atom& atom : product.atoms) value *= atom.run(axes, reads);
    sum += value;
  }
  return sum;
}

std::pair<int64_t, int64_t> IndexCode::range(const std::vector<int64_t>& extents) const {
  HONE_CHECK(is_affine(), "the range is that of affine code");
  int64_t lo = constant_, hi = constant_;
  for (const Affine& term : affine_) {
    int64_t far = term.coefficient * (extents[static_cast<size_t>(term.slot)] - 1);
    (far < 0 ? lo : hi) += far;
  }
  return {lo, hi};
}

void IndexCode::add_to(IndexCode& sum, int64_t factor) const {
  sum.constant_ += factor * constant_;
  for (const Affine& term : affine_) {
    auto same = std::find_if(sum.affine_.begin(), sum.affine_.end(),
                             [&](const Affine& other) { return other.slot == term.slot; });
    if (same == sum.affine_.end())
      sum.affine_.push_back({term.slot, factor * term.coefficient});
    else
      same->coefficient += factor * term.coefficient;
  }
}

AccessCode::AccessCode(const ir::Access& access, const std::vector<int64_t>& shape, const AxisSlots& axes,
                       const Sizes& sizes, const std::vector<int64_t>& extents)
    : shape_(shape), rule_(access.border.rule) {
  HONE_CHECK(access.index.size() == shape.size(), "{} indices for rank {}", access.index.size(), shape.size());
  for (const ir::Index& index : access.index) index_.emplace_back(index, axes, sizes);
  if (extents.size() != axes.size()) return;
  IndexCode flat(0, axes, sizes);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
    if (!index_[i].is_affine()) return;
    auto [lo, hi] = index_[i].range(extents);
    if (lo < 0 || hi >= shape[i]) return;
    index_[i].add_to(flat, stride);
  }
  safe_ = std::move(flat);
}

int64_t AccessCode::checked_offset(const int64_t* axes, const int64_t* reads) const {
  int64_t offset = 0;
  for (size_t i = 0; i < index_.size(); ++i) {
    int64_t index = index_[i].run(axes, reads);
    if (index < 0 || index >= shape_[i]) index = bordered(rule_, index, shape_[i]);
    if (index < 0) return index;
    offset = offset * shape_[i] + index;
  }
  return offset;
}

}  // namespace hone::eval
