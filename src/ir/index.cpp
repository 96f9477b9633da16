// Index: its terms and their text, sums and products.
#include "ir/index_internal.h"

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

bool same_atom(const AtomPtr& a, const AtomPtr& b) {
  return a == b || a->key == b->key;
}

bool same_factors(const IndexTerm& a, const IndexTerm& b) {
  return std::equal(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(), same_atom);
}

bool atom_before(const AtomPtr& a, const AtomPtr& b) {
  return a != b && a->key < b->key;
}

// Terms with atoms first in the order of their text, the constant last.
bool term_before(const IndexTerm& a, const IndexTerm& b) {
  if (a.factors.empty() != b.factors.empty()) return b.factors.empty();
  return std::lexicographical_compare(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
                                      atom_before);
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

void collect(const Index& index, Kind kind, std::set<std::string>& names) {
  for (const IndexTerm& term : index.terms())
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == kind) names.insert(atom->name);
      for (const Index& arg : atom->args) collect(arg, kind, names);
    }
}

}  // namespace

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

IndexTerm times(const IndexTerm& a, const IndexTerm& b) {
  IndexTerm product{{}, in_range(static_cast<__int128>(a.coefficient) * b.coefficient)};
  std::merge(a.factors.begin(), a.factors.end(), b.factors.begin(), b.factors.end(),
             std::back_inserter(product.factors), atom_before);
  return product;
}

int64_t floor_div_numbers(int64_t a, int64_t b) {
  if (b == 0) return 0;  // as in divide
  int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t mod_numbers(int64_t a, int64_t b) {
  return a - floor_div_numbers(a, b) * b;
}

Index::Index(int64_t value) {
  std::vector<IndexTerm> terms;
  if (value != 0) terms.push_back({{}, value});
  sum_ = std::make_shared<Sum>(std::move(terms));
}

const std::string& Index::text() const {
  if (const std::string* written = sum_->text.load()) return *written;
  auto fresh = std::make_unique<const std::string>(terms_text(sum_->terms));
  const std::string* written = nullptr;
  return sum_->text.compare_exchange_strong(written, fresh.get()) ? *fresh.release() : *written;
}

bool Index::operator==(const Index& other) const {
  return sum_ == other.sum_ || std::equal(terms().begin(), terms().end(), other.terms().begin(), other.terms().end(),
                                          [](const IndexTerm& a, const IndexTerm& b) {
                                            return a.coefficient == b.coefficient && same_factors(a, b);
                                          });
}

Index Index::from_terms(std::vector<IndexTerm> terms) {
  std::sort(terms.begin(), terms.end(), term_before);
  std::vector<IndexTerm> merged;
  for (IndexTerm& term : terms) {
    bool same = !merged.empty() && same_factors(merged.back(), term);
    if (same)
      merged.back().coefficient = in_range(static_cast<__int128>(merged.back().coefficient) + term.coefficient);
    else
      merged.push_back(std::move(term));
  }
  std::erase_if(merged, [](const IndexTerm& term) { return term.coefficient == 0; });
  Index index;
  index.sum_ = std::make_shared<Sum>(std::move(merged));
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
  if (terms().empty()) return 0;
  if (terms().size() == 1 && terms()[0].factors.empty()) return terms()[0].coefficient;
  return std::nullopt;
}

bool Index::uses_axis(const std::string& name) const {
  for (const IndexTerm& term : terms())
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind == Kind::Axis && atom->name == name) return true;
      for (const Index& arg : atom->args)
        if (arg.uses_axis(name)) return true;
    }
  return false;
}

bool Index::uses_read() const {
  for (const IndexTerm& term : terms())
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
  for (const IndexTerm& term : terms()) {
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

int64_t Index::evaluate(const std::function<int64_t(const std::string&)>& value_of,
                        const std::function<int64_t(int)>& read_of) const {
  // Sizes that were never meant to be computed may overflow: the numbers wrap round.
  auto times = [](int64_t x, int64_t y) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  };
  int64_t sum = 0;
  for (const IndexTerm& term : terms()) {
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
    for (const IndexTerm& y : b.terms()) terms.push_back(times(x, y));
  return Index::from_terms(std::move(terms));
}

Index product(const std::vector<Index>& factors) {
  Index result = 1;
  for (const Index& factor : factors) result = result * factor;
  return result;
}

}  // namespace hone::ir
