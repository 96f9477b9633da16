#include "ir/index.h"

#include <algorithm>
#include <set>

#include "base/result.h"

namespace hone::ir {
namespace {

using Kind = IndexAtom::Kind;

std::string factors_text(const std::vector<AtomPtr>& factors) {
  std::string text;
  for (const AtomPtr& atom : factors) text += (text.empty() ? "" : "*") + atom->key;
  return text;
}

// Terms with atoms first in the order of their text, the constant last.
bool term_before(const IndexTerm& a, const IndexTerm& b) {
  if (a.factors.empty() != b.factors.empty()) return b.factors.empty();
  return factors_text(a.factors) < factors_text(b.factors);
}

// A coefficient beyond all numbers is the largest one: no size is as large, and whoever is given one refuses it.
int64_t in_range(__int128 coefficient) {
  return static_cast<int64_t>(std::clamp<__int128>(coefficient, -INT64_MAX, INT64_MAX));
}

std::string terms_text(const std::vector<IndexTerm>& terms) {
  if (terms.empty()) return "0";
  std::string text;
  for (const IndexTerm& term : terms) {
    int64_t c = term.coefficient;
    if (!text.empty()) {
      text += c < 0 ? " - " : " + ";
      c = c < 0 ? -c : c;
    }
    if (term.factors.empty())
      text += fmt::format("{}", c);
    else if (c == 1)
      text += factors_text(term.factors);
    else
      text += fmt::format("{}*{}", c, factors_text(term.factors));
  }
  return text;
}

std::string parenthesized(const Index& index) {
  bool plain =
      index.terms().size() <= 1 && (index.terms().empty() || index.terms()[0].factors.empty() ||
                                    (index.terms()[0].coefficient == 1 && index.terms()[0].factors.size() == 1));
  return plain ? index.text() : "(" + index.text() + ")";
}

AtomPtr make_atom(Kind kind, std::string name, int slot, std::vector<Index> args) {
  auto atom = std::make_shared<IndexAtom>();
  atom->kind = kind;
  atom->name = std::move(name);
  atom->slot = slot;
  atom->args = std::move(args);
  switch (kind) {
    case Kind::Axis:
    case Kind::Symbol:
      atom->key = atom->name;
      break;
    case Kind::Read:
      atom->key = fmt::format("${}", slot);
      break;
    case Kind::FloorDiv:
      atom->key = fmt::format("({} // {})", parenthesized(atom->args[0]), parenthesized(atom->args[1]));
      break;
    case Kind::Mod:
      atom->key = fmt::format("({} % {})", parenthesized(atom->args[0]), parenthesized(atom->args[1]));
      break;
    case Kind::Min:
      atom->key = fmt::format("min({}, {})", atom->args[0].text(), atom->args[1].text());
      break;
    case Kind::Max:
      atom->key = fmt::format("max({}, {})", atom->args[0].text(), atom->args[1].text());
      break;
  }
  return atom;
}

Index of_atom(AtomPtr atom) {
  return Index::from_terms({{{std::move(atom)}, 1}});
}

int64_t floor_div_numbers(int64_t a, int64_t b) {
  if (b == 0) return 0;  // as in divide below
  int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t mod_numbers(int64_t a, int64_t b) {
  return a - floor_div_numbers(a, b) * b;
}

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

Index rebuild(const IndexAtom& atom, const std::vector<Index>& args, const Ranges& ranges) {
  switch (atom.kind) {
    case Kind::Axis:
      return Index::axis(atom.name);
    case Kind::Symbol:
      return Index::symbol(atom.name);
    case Kind::Read:
      return Index::read(atom.slot);
    case Kind::FloorDiv:
      return divide(args[0], args[1], ranges);
    case Kind::Mod:
      return remainder(args[0], args[1], ranges);
    case Kind::Min:
    case Kind::Max:
      return extreme(atom.kind, args[0], args[1], ranges);
  }
  HONE_CHECK(false, "unknown atom");
}

// Rebuilds bottom-up; `leaf` gives axes, symbols and reads.
Index transform(const Index& index, const std::function<Index(const IndexAtom&)>& leaf, const Ranges& ranges) {
  Index sum = 0;
  for (const IndexTerm& term : index.terms()) {
    Index value = term.coefficient;
    for (const AtomPtr& atom : term.factors) {
      if (atom->args.empty()) {
        value = value * leaf(*atom);
        continue;
      }
      std::vector<Index> args;
      for (const Index& arg : atom->args) args.push_back(transform(arg, leaf, ranges));
      value = value * rebuild(*atom, args, ranges);
    }
    sum = sum + value;
  }
  return sum;
}

void collect(const Index& index, Kind kind, std::set<std::string>& names) {
  for (const IndexTerm& term : index.terms())
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == kind) names.insert(atom->name);
      for (const Index& arg : atom->args) collect(arg, kind, names);
    }
}

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

Index::Index(int64_t value) {
  std::vector<IndexTerm> terms;
  if (value != 0) terms.push_back({{}, value});
  text_ = std::make_shared<std::string>(fmt::format("{}", value));
  terms_ = std::make_shared<std::vector<IndexTerm>>(std::move(terms));
}

Index Index::from_terms(std::vector<IndexTerm> terms) {
  std::sort(terms.begin(), terms.end(), term_before);
  std::vector<IndexTerm> merged;
  for (IndexTerm& term : terms) {
    bool same = !merged.empty() && factors_text(merged.back().factors) == factors_text(term.factors);
    if (same)
      merged.back().coefficient = in_range(static_cast<__int128>(merged.back().coefficient) + term.coefficient);
    else
      merged.push_back(std::move(term));
  }
  std::erase_if(merged, [](const IndexTerm& term) { return term.coefficient == 0; });
  Index index;
  index.text_ = std::make_shared<std::string>(terms_text(merged));
  index.terms_ = std::make_shared<std::vector<IndexTerm>>(std::move(merged));
  return index;
}

Index Index::axis(std::string name) {
  return of_atom(make_atom(Kind::Axis, std::move(name), 0, {}));
}
Index Index::symbol(std::string name) {
  return of_atom(make_atom(Kind::Symbol, std::move(name), 0, {}));
}
Index Index::read(int access) {
  return of_atom(make_atom(Kind::Read, "", access, {}));
}

std::optional<int64_t> Index::constant() const {
  if (terms_->empty()) return 0;
  if (terms_->size() == 1 && (*terms_)[0].factors.empty()) return (*terms_)[0].coefficient;
  return std::nullopt;
}

bool Index::uses_axis(const std::string& name) const {
  for (const IndexTerm& term : *terms_)
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == Kind::Axis && atom->name == name) return true;
      for (const Index& arg : atom->args)
        if (arg.uses_axis(name)) return true;
    }
  return false;
}

bool Index::uses_read() const {
  for (const IndexTerm& term : *terms_)
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == Kind::Read) return true;
      for (const Index& arg : atom->args)
        if (arg.uses_read()) return true;
    }
  return false;
}

std::vector<std::string> Index::axes() const {
  std::set<std::string> names;
  collect(*this, Kind::Axis, names);
  return {names.begin(), names.end()};
}

std::vector<std::string> Index::symbols() const {
  std::set<std::string> names;
  collect(*this, Kind::Symbol, names);
  return {names.begin(), names.end()};
}

std::optional<std::pair<Index, Index>> Index::linear_in(const std::string& axis) const {
  std::vector<IndexTerm> coefficient, rest;
  for (const IndexTerm& term : *terms_) {
    std::vector<AtomPtr> others;
    int power = 0;
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == Kind::Axis && atom->name == axis) {
        ++power;
        continue;
      }
      for (const Index& arg : atom->args)
        if (arg.uses_axis(axis)) return std::nullopt;
      others.push_back(atom);
    }
    if (power > 1) return std::nullopt;
    (power == 1 ? coefficient : rest).push_back({others, term.coefficient});
  }
  return std::pair{from_terms(coefficient), from_terms(rest)};
}

Index Index::substitute(const std::map<std::string, Index>& by_name) const {
  if (by_name.empty()) return *this;
  return transform(*this,
                   [&](const IndexAtom& atom) {
                     auto found = by_name.find(atom.name);
                     return found == by_name.end() || atom.kind == Kind::Read ? rebuild(atom, {}, {}) : found->second;
                   },
                   {});
}

Index Index::replace_reads(const std::function<Index(int)>& by) const {
  return transform(
      *this, [&](const IndexAtom& atom) { return atom.kind == Kind::Read ? by(atom.slot) : rebuild(atom, {}, {}); },
      {});
}

Index Index::simplify(const Ranges& ranges) const {
  return transform(*this, [](const IndexAtom& atom) { return rebuild(atom, {}, {}); }, ranges);
}

int64_t Index::evaluate(const std::function<int64_t(const std::string&)>& value_of,
                        const std::function<int64_t(int)>& read_of) const {
  // Sizes that were never meant to be computed may overflow: the numbers wrap round.
  auto times = [](int64_t x, int64_t y) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  };
  int64_t sum = 0;
  for (const IndexTerm& term : *terms_) {
    int64_t value = term.coefficient;
    for (const AtomPtr& atom : term.factors) {
      auto arg = [&](size_t i) { return atom->args[i].evaluate(value_of, read_of); };
      switch (atom->kind) {
        case Kind::Axis:
        case Kind::Symbol:
          value = times(value, value_of(atom->name));
          break;
        case Kind::Read:
          value = times(value, read_of(atom->slot));
          break;
        case Kind::FloorDiv:
          value = times(value, floor_div_numbers(arg(0), arg(1)));
          break;
        case Kind::Mod:
          value = times(value, mod_numbers(arg(0), arg(1)));
          break;
        case Kind::Min:
          value = times(value, std::min(arg(0), arg(1)));
          break;
        case Kind::Max:
          value = times(value, std::max(arg(0), arg(1)));
          break;
      }
    }
    sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(value));
  }
  return sum;
}

Index operator+(const Index& a, const Index& b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  std::vector<IndexTerm> terms = a.terms();
  terms.insert(terms.end(), b.terms().begin(), b.terms().end());
  return Index::from_terms(std::move(terms));
}

Index operator-(const Index& a) {
  return a * Index(-1);
}
Index operator-(const Index& a, const Index& b) {
  return a + (-b);
}

Index operator*(const Index& a, const Index& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  std::vector<IndexTerm> terms;
  for (const IndexTerm& x : a.terms())
    for (const IndexTerm& y : b.terms()) {
      std::vector<AtomPtr> factors = x.factors;
      factors.insert(factors.end(), y.factors.begin(), y.factors.end());
      std::sort(factors.begin(), factors.end(), [](const AtomPtr& p, const AtomPtr& q) { return p->key < q->key; });
      terms.push_back({std::move(factors), in_range(static_cast<__int128>(x.coefficient) * y.coefficient)});
    }
  return Index::from_terms(std::move(terms));
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

Index product(const std::vector<Index>& factors) {
  Index result = 1;
  for (const Index& factor : factors) result = result * factor;
  return result;
}

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
