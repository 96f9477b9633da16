// The rules by which an Index is brought into normal form: quotients, remainders, minima and maxima.
#include <algorithm>
#include <set>

#include "base/result.h"
#include "ir/index_internal.h"

namespace hone::ir {
namespace {

using Kind = IndexAtom::Kind;

// The term divided by a monomial (coefficient and factors), if it divides evenly.
std::optional<IndexTerm> divide_term(const IndexTerm& term, const IndexTerm& by) {
  if (by.coefficient == 0 || term.coefficient % by.coefficient != 0) return std::nullopt;
  std::vector<AtomPtr> rest = term.factors;
  for (const AtomPtr& atom : by.factors) {
    auto found = std::find_if(rest.begin(), rest.end(), [&](const AtomPtr& a) { return a->key == atom->key; });
    if (found == rest.end()) return std::nullopt;
    rest.erase(found);
  }
  return IndexTerm{rest, term.coefficient / by.coefficient};
}

// a = quotient * by + rest, with the quotient made of every term that divides evenly.
std::pair<Index, Index> split_by(const Index& a, const IndexTerm& by) {
  std::vector<IndexTerm> quotient, rest;
  for (const IndexTerm& term : a.terms()) {
    if (auto q = divide_term(term, by))
      quotient.push_back(*q);
    else if (by.factors.empty() && term.factors.empty()) {
      int64_t q0 = floor_div_numbers(term.coefficient, by.coefficient);
      if (q0 != 0) quotient.push_back({{}, q0});
      rest.push_back({{}, mod_numbers(term.coefficient, by.coefficient)});
    } else
      rest.push_back(term);
  }
  return {Index::from_terms(quotient), Index::from_terms(rest)};
}

// 0 ≤ rest < divisor for all values of the axes.
bool lies_within(const Index& rest, const Index& divisor, const Ranges& ranges) {
  auto lo = lower_bound(rest, ranges);
  auto hi = upper_bound(rest, ranges);
  return lo && hi && provably_at_most(0, *lo) && provably_at_most(*hi + 1, divisor);
}

// (x // c + k) // d = (x + k * c) // (c * d) for positive divisors; dividend and divisor of the right side.
std::optional<std::pair<Index, Index>> merge_divisions(const Index& a, int64_t d) {
  if (d <= 0 || a.terms().empty() || a.terms().size() > 2) return std::nullopt;
  const IndexTerm& first = a.terms()[0];
  if (first.coefficient != 1 || first.factors.size() != 1 || first.factors[0]->kind != Kind::FloorDiv)
    return std::nullopt;
  if (a.terms().size() == 2 && !a.terms()[1].factors.empty()) return std::nullopt;
  const IndexAtom& inner = *first.factors[0];
  int64_t c = inner.args[1].constant().value_or(0), k = a.terms().size() == 2 ? a.terms()[1].coefficient : 0;
  if (c <= 0) return std::nullopt;
  return std::pair{inner.args[0] + k * c, Index(c * d)};
}

// What a min or max is taken of, nested ones resolved: max(a, max(b, c)) is of a, b and c.
void collect_operands(const Index& index, Kind kind, std::set<std::string>& texts) {
  const std::vector<IndexTerm>& terms = index.terms();
  bool nested = terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
                terms[0].factors[0]->kind == kind;
  if (!nested) {
    texts.insert(index.text());
    return;
  }
  for (const Index& argument : terms[0].factors[0]->args) collect_operands(argument, kind, texts);
}

}  // namespace

Index divide(const Index& a, const Index& b, const Ranges& ranges) {
  auto divisor = b.constant();
  if (divisor == 1) return a;
  // Only the coordinate of a point in an empty tensor is divided by zero, and there is no such point.
  if (a.is(0) || divisor == 0) return 0;
  if (divisor && a.constant()) return floor_div_numbers(*a.constant(), *divisor);
  if (a == b) return 1;
  if (b.terms().size() == 1) {
    auto [quotient, rest] = split_by(a, b.terms()[0]);
    if (rest.is(0) || lies_within(rest, b, ranges)) return quotient;
    if (rest.constant() && divisor && *rest.constant() >= 0 && *rest.constant() < *divisor) return quotient;
    if (!quotient.is(0)) return quotient + divide(rest, b, ranges);
    if (auto merged = merge_divisions(a, divisor.value_or(0))) return divide(merged->first, merged->second, ranges);
  } else if (lies_within(a, b, ranges)) {
    return 0;
  }
  return of_atom(make_atom(Kind::FloorDiv, "", 0, {a, b}));
}

Index remainder(const Index& a, const Index& b, const Ranges& ranges) {
  auto modulus = b.constant();
  if (modulus == 1 || modulus == 0 || a.is(0) || a == b) return 0;
  if (modulus && a.constant()) return mod_numbers(*a.constant(), *modulus);
  Index reduced = a;
  if (b.terms().size() == 1) reduced = split_by(a, b.terms()[0]).second;
  if (reduced.is(0) || lies_within(reduced, b, ranges)) return reduced;
  return of_atom(make_atom(Kind::Mod, "", 0, {reduced, b}));
}

Index extreme(Kind kind, const Index& a, const Index& b, const Ranges& ranges) {
  bool smaller = kind == Kind::Min;
  if (a == b) return a;
  if (a.constant() && b.constant())
    return smaller ? std::min(*a.constant(), *b.constant()) : std::max(*a.constant(), *b.constant());
  // Sizes that broadcast meet again and again; without this they nest, and what is asked of them doubles each time.
  std::set<std::string> of_a, of_b;
  collect_operands(a, kind, of_a);
  collect_operands(b, kind, of_b);
  if (std::includes(of_a.begin(), of_a.end(), of_b.begin(), of_b.end())) return a;
  if (std::includes(of_b.begin(), of_b.end(), of_a.begin(), of_a.end())) return b;
  auto at_most = [&](const Index& x, const Index& y) {
    auto hi = upper_bound(x - y, ranges);
    return hi && provably_at_most(*hi, 0);
  };
  if (at_most(a, b)) return smaller ? a : b;
  if (at_most(b, a)) return smaller ? b : a;
  return b < a ? of_atom(make_atom(kind, "", 0, {b, a})) : of_atom(make_atom(kind, "", 0, {a, b}));
}

namespace {

// An axis, symbol or read in its new form; nothing if it stays.
using Leaf = std::function<std::optional<Index>(const IndexAtom&)>;

Index transform(const Index& index, const Leaf& leaf, const Ranges& ranges);

std::optional<Index> transformed(const IndexAtom& atom, const Leaf& leaf, const Ranges& ranges) {
  if (atom.args.empty()) return leaf(atom);
  const Index a = transform(atom.args[0], leaf, ranges), b = transform(atom.args[1], leaf, ranges);
  if (ranges.empty() && a == atom.args[0] && b == atom.args[1]) return std::nullopt;
  if (atom.kind == Kind::FloorDiv) return divide(a, b, ranges);
  if (atom.kind == Kind::Mod) return remainder(a, b, ranges);
  return extreme(atom.kind, a, b, ranges);
}

// Rebuilds bottom-up what has changed.
Index transform(const Index& index, const Leaf& leaf, const Ranges& ranges) {
  std::vector<IndexTerm> terms;
  for (const IndexTerm& term : index.terms()) {
    IndexTerm kept{{}, term.coefficient};
    Index by = 1;
    for (const AtomPtr& atom : term.factors) {
      if (auto now = transformed(*atom, leaf, ranges))
        by = by * *now;
      else
        kept.factors.push_back(atom);
    }
    for (const IndexTerm& part : by.terms()) terms.push_back(times(kept, part));
  }
  return Index::from_terms(std::move(terms));
}

}  // namespace

Index Index::substitute(const std::map<std::string, Index>& by_name) const {
  if (by_name.empty()) return *this;
  return transform(*this,
                   [&](const IndexAtom& atom) -> std::optional<Index> {
                     auto found = by_name.find(atom.name);
                     if (found == by_name.end() || atom.kind == Kind::Read) return std::nullopt;
                     return found->second;
                   },
                   {});
}

Index Index::replace_reads(const std::function<Index(int)>& by) const {
  return transform(*this,
                   [&](const IndexAtom& atom) -> std::optional<Index> {
                     if (atom.kind != Kind::Read) return std::nullopt;
                     return by(atom.slot);
                   },
                   {});
}

Index Index::simplify(const Ranges& ranges) const {
  return transform(*this, [](const IndexAtom&) { return std::nullopt; }, ranges);
}

Index floor_div(const Index& a, const Index& b) {
  return divide(a, b, {});
}
Index ceil_div(const Index& a, const Index& b) {
  return floor_div(a + b - 1, b);
}
Index mod(const Index& a, const Index& b) {
  return remainder(a, b, {});
}
Index min(const Index& a, const Index& b) {
  return extreme(Kind::Min, a, b, {});
}
Index max(const Index& a, const Index& b) {
  return extreme(Kind::Max, a, b, {});
}

}  // namespace hone::ir
