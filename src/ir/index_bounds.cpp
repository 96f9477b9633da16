// Bounds of an Index, and what can be shown of its order.
#include <algorithm>

#include "base/result.h"
#include "ir/index_internal.h"

namespace hone::ir {
namespace {

using Kind = IndexAtom::Kind;

// One end of the interval of an atom; nothing where unknown.
std::optional<Index> atom_bound(const IndexAtom& atom, bool upper, const Ranges& ranges) {
  switch (atom.kind) {
    case Kind::Axis: {
      auto found = ranges.find(atom.name);
      if (found == ranges.end()) return std::nullopt;
      return upper ? found->second.hi : found->second.lo;
    }
    case Kind::Symbol:
      return Index::symbol(atom.name);
    case Kind::Read:
      return std::nullopt;
    case Kind::FloorDiv: {
      if (atom.args[1].constant().value_or(0) <= 0 && !provably_at_most(1, atom.args[1])) {
        auto lo = lower_bound(atom.args[0], ranges);
        if (!upper && lo && provably_at_most(0, *lo)) return Index(0);
        return std::nullopt;
      }
      auto end = upper ? upper_bound(atom.args[0], ranges) : lower_bound(atom.args[0], ranges);
      if (!end) return std::nullopt;
      return floor_div(*end, atom.args[1]);
    }
    case Kind::Mod:
      return upper ? atom.args[1] - 1 : Index(0);
    case Kind::Min:
    case Kind::Max: {
      auto a = upper ? upper_bound(atom.args[0], ranges) : lower_bound(atom.args[0], ranges);
      auto b = upper ? upper_bound(atom.args[1], ranges) : lower_bound(atom.args[1], ranges);
      bool either = (atom.kind == Kind::Min) == upper;  // min ≤ each argument, max ≥ each argument
      if (a && b) return atom.kind == Kind::Min ? min(*a, *b) : max(*a, *b);
      if (either) return a ? a : b;
      return std::nullopt;
    }
  }
  HONE_CHECK(false, "unknown atom");
}

bool never_negative(const IndexAtom& atom) {
  auto argument = [&](size_t i) { return provably_at_most(0, atom.args[i]); };
  switch (atom.kind) {
    case Kind::Symbol:
    case Kind::Mod:
      return true;
    case Kind::FloorDiv:
    case Kind::Min:
      return argument(0) && argument(1);
    case Kind::Max:
      return argument(0) || argument(1);
    case Kind::Axis:
    case Kind::Read:
      return false;
  }
  HONE_CHECK(false, "unknown atom");
}

// Made of symbols and of their quotients by numbers alone: such a size is its own bound. Without this, quotients of
// quotients would be bounded anew at each of their levels, and again to simplify each bound.
bool is_quotient_of_symbols(const Index& index) {
  return std::all_of(index.terms().begin(), index.terms().end(), [](const IndexTerm& term) {
    auto varies = [](const AtomPtr& atom) { return atom->kind != Kind::Symbol; };
    auto first = std::find_if(term.factors.begin(), term.factors.end(), varies);
    if (first == term.factors.end()) return true;
    const IndexAtom& atom = **first;
    return std::none_of(first + 1, term.factors.end(), varies) && atom.kind == Kind::FloorDiv &&
           atom.args[1].constant().value_or(0) > 0 && is_quotient_of_symbols(atom.args[0]);
  });
}

// The quotient that a term is a multiple of, by a positive number.
const IndexAtom* quotient_in(const IndexTerm& term) {
  if (term.factors.size() != 1 || term.factors[0]->kind != Kind::FloorDiv) return nullptr;
  return term.factors[0]->args[1].constant().value_or(0) > 0 ? term.factors[0].get() : nullptr;
}

// m * (x // c) - m * (y // c) + k is not negative if y ≤ x + (k // m) * c. Leaves out such pairs, and with them the number.
Index without_ordered_quotients(const Index& index) {
  const std::vector<IndexTerm>& terms = index.terms();
  int64_t number = !terms.empty() && terms.back().factors.empty() ? terms.back().coefficient : 0;
  for (const IndexTerm& less : terms) {
    const IndexAtom* y = less.coefficient < 0 ? quotient_in(less) : nullptr;
    if (!y) continue;
    for (const IndexTerm& more : terms) {
      const IndexAtom* x = more.coefficient == -less.coefficient ? quotient_in(more) : nullptr;
      if (!x || !(x->args[1] == y->args[1])) continue;
      Index most = x->args[0] + floor_div_numbers(number, more.coefficient) * x->args[1];
      if (provably_at_most(y->args[0], most))
        return without_ordered_quotients(index - Index::from_terms({less, more, {{}, number}}));
    }
  }
  return index;
}

std::optional<Index> bound(const Index& index, bool upper, const Ranges& ranges) {
  if (is_quotient_of_symbols(index)) return index;
  Index sum = 0;
  for (const IndexTerm& term : index.terms()) {
    bool want_upper = upper == (term.coefficient >= 0);
    Index value = term.coefficient;
    const IndexAtom* varying = nullptr;
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == Kind::Symbol)
        value = value * Index::symbol(atom->name);
      else if (varying)
        return std::nullopt;
      else
        varying = atom.get();
    }
    if (varying) {
      auto end = atom_bound(*varying, want_upper, ranges);
      if (!end) return std::nullopt;
      value = value * *end;
    }
    sum = sum + value;
  }
  return sum;
}

}  // namespace

std::optional<Index> lower_bound(const Index& index, const Ranges& ranges) {
  return bound(index, false, ranges);
}
std::optional<Index> upper_bound(const Index& index, const Ranges& ranges) {
  return bound(index, true, ranges);
}

bool provably_at_most(const Index& a, const Index& b) {
  // b - a is a sum of terms each of which is never negative.
  Index difference = without_ordered_quotients(b - a);
  for (const IndexTerm& term : difference.terms()) {
    if (term.coefficient < 0) return false;
    for (const AtomPtr& atom : term.factors) {
      if (never_negative(*atom)) continue;
      auto lo = atom_bound(*atom, false, {});
      if (!lo || !(lo->constant().value_or(-1) >= 0)) return false;
    }
  }
  return true;
}

}  // namespace hone::ir
