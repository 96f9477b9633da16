// Index: a quasi-affine integer expression over axes, symbols (run-time sizes) and integers read from memory. It serves
// as tensor dimension, loop bound, access index and byte count, so that one algebra proves them equal.
//
//   index := integer | axis | symbol | $k | index + index | index * index | index // index | index % index
//          | min(index, index) | max(index, index)
//
// `//` rounds down, `%` has the sign of the divisor; `$k` is the value of the k-th access of the enclosing statement.
// An Index is an immutable value held in one normal form (a sorted polynomial over atoms), so == is structural equality
// of normal forms: equal prints mean equal objects.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hone::ir {

class Index;

struct IndexAtom {
  enum class Kind { Axis, Symbol, Read, FloorDiv, Mod, Min, Max };
  Kind kind;
  std::string name;         // Axis, Symbol
  int slot = 0;             // Read
  std::vector<Index> args;  // FloorDiv, Mod, Min, Max: two
  std::string key;          // its text; orders atoms
};
using AtomPtr = std::shared_ptr<const IndexAtom>;

struct IndexTerm {
  std::vector<AtomPtr> factors;  // sorted by key; empty for the constant
  int64_t coefficient;
};

// Closed interval whose ends may be symbolic.
struct IndexRange;
using Ranges = std::map<std::string, IndexRange>;  // axis name → values it takes

class Index {
 public:
  Index(int64_t value = 0);
  static Index axis(std::string name);
  static Index symbol(std::string name);
  static Index read(int access);

  std::optional<int64_t> constant() const;
  bool is(int64_t value) const { return constant() == value; }
  const std::vector<IndexTerm>& terms() const { return sum_->terms; }
  const std::string& text() const;

  bool uses_axis(const std::string& name) const;
  bool uses_read() const;
  std::vector<std::string> axes() const;     // sorted, each once
  std::vector<std::string> symbols() const;  // sorted, each once

  // this == coefficient * axis + rest, both free of the axis; nothing if it is not of that form.
  std::optional<std::pair<Index, Index>> linear_in(const std::string& axis) const;

  // Replaces axes and symbols by name. Names absent from the map stay.
  Index substitute(const std::map<std::string, Index>& by_name) const;
  Index replace_reads(const std::function<Index(int)>& by) const;

  // Uses the ranges to resolve divisions, remainders, min and max.
  Index simplify(const Ranges& ranges) const;

  // value_of gives an axis or symbol its value, read_of a Read.
  int64_t evaluate(const std::function<int64_t(const std::string&)>& value_of,
                   const std::function<int64_t(int)>& read_of = nullptr) const;

  bool operator==(const Index& other) const;
  bool operator<(const Index& other) const { return text() < other.text(); }

  static Index from_terms(std::vector<IndexTerm> terms);

 private:
  // Most sums are only a step of a computation: the text is written when it is first asked for, by whichever thread asks.
  struct Sum {
    std::vector<IndexTerm> terms;
    mutable std::atomic<const std::string*> text = nullptr;
    explicit Sum(std::vector<IndexTerm> of) : terms(std::move(of)) {}
    ~Sum() { delete text.load(); }
  };
  std::shared_ptr<const Sum> sum_;
};

struct IndexRange {
  Index lo, hi;
};

Index operator+(const Index& a, const Index& b);
Index operator-(const Index& a, const Index& b);
Index operator-(const Index& a);
Index operator*(const Index& a, const Index& b);
Index floor_div(const Index& a, const Index& b);
Index ceil_div(const Index& a, const Index& b);
Index mod(const Index& a, const Index& b);
Index min(const Index& a, const Index& b);
Index max(const Index& a, const Index& b);
Index product(const std::vector<Index>& factors);

// Smallest and largest value over the ranges of the axes (symbols stay; taken to be ≥ 0). Nothing where unknown.
std::optional<Index> lower_bound(const Index& index, const Ranges& ranges);
std::optional<Index> upper_bound(const Index& index, const Ranges& ranges);
// True only if it can be shown, for every value of the symbols ≥ 0.
bool provably_at_most(const Index& a, const Index& b);

using Shape = std::vector<Index>;

}  // namespace hone::ir
