#include "ir/text/index_text.h"

#include <algorithm>
#include <cmath>

namespace hone::ir::text {
namespace {

constexpr size_t kMostTerms = 256;
constexpr double kMostCoefficient = 4e18;

double largest_coefficient(const Index& index) {
  double largest = 0;
  for (const IndexTerm& term : index.terms())
    largest = std::max(largest, std::fabs(static_cast<double>(term.coefficient)));
  return largest;
}

// Index arithmetic expands products and trusts its numbers; a text may be anything, so each step is checked before.
class IndexParser {
 public:
  IndexParser(Lexer& lexer, const IndexScope& scope) : lexer_(lexer), scope_(scope) {}

  Result<Index> sum() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    HONE_TRY(Index value, term());
    while (lexer_.at("+") || lexer_.at("-")) {
      Token sign = lexer_.take();
      HONE_TRY(Index next, term());
      if (value.terms().size() + next.terms().size() > kMostTerms ||
          largest_coefficient(value) + largest_coefficient(next) > kMostCoefficient)
        return too_large(sign);
      value = sign.text == "+" ? value + next : value - next;
    }
    return value;
  }

 private:
  Error too_large(const Token& token) const {
    return lexer_.problem_at(token, fmt::format("this index grows beyond {} terms or 64 bits", kMostTerms));
  }

  Result<Index> term() {
    HONE_TRY(Index value, factor());
    while (lexer_.at("*") || lexer_.at("//") || lexer_.at("%")) {
      Token sign = lexer_.take();
      HONE_TRY(Index next, factor());
      if (sign.text == "*") {
        size_t terms = value.terms().size() * next.terms().size();
        double largest = largest_coefficient(value) * largest_coefficient(next);
        if (terms > kMostTerms || largest * static_cast<double>(terms) > kMostCoefficient ||
            degree(value) + degree(next) > 16)
          return too_large(sign);
        value = value * next;
      } else if (next.is(0)) {
        return lexer_.problem_at(sign, "division by zero");
      } else {
        value = sign.text == "//" ? floor_div(value, next) : mod(value, next);
      }
    }
    return value;
  }

  static size_t degree(const Index& index) {
    size_t degree = 0;
    for (const IndexTerm& term : index.terms()) degree = std::max(degree, term.factors.size());
    return degree;
  }

  Result<Index> factor() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    if (lexer_.take_if("-")) {
      HONE_TRY(Index value, factor());
      return -value;
    }
    if (lexer_.peek().kind == Token::Kind::Integer) {
      const Token number = lexer_.take();
      if (std::fabs(static_cast<double>(number.integer)) > kMostCoefficient) return too_large(number);
      return Index(number.integer);
    }
    if (lexer_.take_if("(")) {
      HONE_TRY(Index value, sum());
      HONE_PASS(lexer_.expect(")"));
      return value;
    }
    if (lexer_.at("min") || lexer_.at("max")) return extreme();
    if (scope_.read) {
      HONE_TRY(std::optional<Index> value, scope_.read(lexer_));
      if (value) return *value;
    }
    HONE_TRY(std::string name, lexer_.name("an index: a number, an axis, a size, or '('"));
    return scope_.is_axis && scope_.is_axis(name) ? Index::axis(name) : Index::symbol(name);
  }

  Result<Index> extreme() {
    Token function = lexer_.take();
    HONE_PASS(lexer_.expect("("));
    HONE_TRY(Index a, sum());
    HONE_PASS(lexer_.expect(","));
    HONE_TRY(Index b, sum());
    HONE_PASS(lexer_.expect(")"));
    if (a.text().size() + b.text().size() > kMostText) return too_large(function);
    return function.text == "min" ? min(a, b) : max(a, b);
  }

  static constexpr size_t kMostText = 1 << 14;

  Lexer& lexer_;
  const IndexScope& scope_;
};

using ReadText = std::function<std::string(int)>;

std::string atom_text(const IndexAtom& atom, const ReadText& read_text);

std::string factors_text(const IndexTerm& term, const ReadText& read_text) {
  std::string text;
  for (const AtomPtr& atom : term.factors) text += (text.empty() ? "" : "*") + atom_text(*atom, read_text);
  return text;
}

// In parentheses unless it is one number or one atom.
std::string operand_text(const Index& index, const ReadText& read_text) {
  const auto& terms = index.terms();
  bool single =
      terms.empty() ||
      (terms.size() == 1 && (terms[0].factors.empty() || (terms[0].coefficient == 1 && terms[0].factors.size() == 1)));
  return single ? index_text(index, read_text) : "(" + index_text(index, read_text) + ")";
}

std::string atom_text(const IndexAtom& atom, const ReadText& read_text) {
  using Kind = IndexAtom::Kind;
  auto whole = [&](size_t i) { return index_text(atom.args[i], read_text); };
  auto operand = [&](size_t i) { return operand_text(atom.args[i], read_text); };
  switch (atom.kind) {
    case Kind::Axis:
    case Kind::Symbol:
      return name_text(atom.name);
    case Kind::Read:
      return read_text ? read_text(atom.slot) : fmt::format("${}", atom.slot);
    case Kind::FloorDiv:
      return fmt::format("({} // {})", operand(0), operand(1));
    case Kind::Mod:
      return fmt::format("({} % {})", operand(0), operand(1));
    case Kind::Min:
      return fmt::format("min({}, {})", whole(0), whole(1));
    case Kind::Max:
      return fmt::format("max({}, {})", whole(0), whole(1));
  }
  HONE_CHECK(false, "unknown atom");
}

}  // namespace

Result<Index> parse_index(Lexer& lexer, const IndexScope& scope) {
  return IndexParser(lexer, scope).sum();
}

Result<std::vector<Index>> parse_indices(Lexer& lexer, const IndexScope& scope) {
  std::vector<Index> indices;
  HONE_PASS(lexer.expect("["));
  if (lexer.take_if("]")) return indices;
  do {
    HONE_TRY(Index index, parse_index(lexer, scope));
    indices.push_back(std::move(index));
  } while (lexer.take_if(","));
  if (!lexer.take_if("]")) return lexer.unexpected("',' or ']'");
  return indices;
}

std::string index_text(const Index& index, const ReadText& read_text) {
  if (index.terms().empty()) return "0";
  std::string text;
  for (const IndexTerm& term : index.terms()) {
    int64_t coefficient = term.coefficient;
    if (!text.empty()) {
      text += coefficient < 0 ? " - " : " + ";
      coefficient = coefficient < 0 ? -coefficient : coefficient;
    }
    if (term.factors.empty())
      text += fmt::format("{}", coefficient);
    else if (coefficient == 1)
      text += factors_text(term, read_text);
    else if (coefficient == -1)
      text += "-" + factors_text(term, read_text);
    else
      text += fmt::format("{}*{}", coefficient, factors_text(term, read_text));
  }
  return text;
}

std::string indices_text(const std::vector<Index>& indices, const ReadText& read_text) {
  std::string text;
  for (const Index& index : indices) text += (text.empty() ? "" : ", ") + index_text(index, read_text);
  return "[" + text + "]";
}

Result<Index> parse_index(std::string_view source, const std::vector<std::string>& axes) {
  HONE_TRY(Lexer lexer, Lexer::open(std::string(source)));
  IndexScope scope{[&](const std::string& name) { return std::find(axes.begin(), axes.end(), name) != axes.end(); },
                   nullptr};
  HONE_TRY(Index index, parse_index(lexer, scope));
  HONE_PASS(lexer.expect_end());
  return index;
}

}  // namespace hone::ir::text
