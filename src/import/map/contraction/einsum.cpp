#include "import/map/contraction/einsum_internal.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace hone::import {
namespace {

struct Term {
  std::vector<int> before, after;  // letters around the ellipsis
  bool ellipsis = false;
};

Result<Term> parse_term(const std::string& text) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::isalpha(static_cast<unsigned char>(text[i]))) {
      (term.ellipsis ? term.after : term.before).push_back(text[i]);
    } else if (text.compare(i, 3, "...") == 0 && !term.ellipsis) {
      term.ellipsis = true;
      i += 2;
    } else {
      return error("its equation has the unexpected sign '{}'", text[i]);
    }
  }
  return term;
}

std::vector<int> labels_of(const Term& term, size_t dimensions) {
  std::vector<int> labels = term.before;
  if (term.ellipsis)
    for (size_t i = dimensions; i > 0; --i) labels.push_back(-static_cast<int>(i));
  labels.insert(labels.end(), term.after.begin(), term.after.end());
  return labels;
}

std::vector<int> implied_result(const EinsumTerms& terms, size_t ellipsis) {
  std::map<int, int> met;
  for (const auto& operand : terms.operands)
    for (int label : operand) ++met[label];
  std::vector<int> result;
  for (size_t i = ellipsis; i > 0; --i) result.push_back(-static_cast<int>(i));
  for (auto [label, count] : met)
    if (label > 0 && count == 1) result.push_back(label);
  return result;
}

Status check_result(const EinsumTerms& terms) {
  std::set<int> known, seen;
  for (const auto& operand : terms.operands) known.insert(operand.begin(), operand.end());
  for (int label : terms.result) {
    if (!known.count(label)) return error("its result has '{}', which no operand has", static_cast<char>(label));
    if (!seen.insert(label).second) return error("its result has '{}' twice", static_cast<char>(label));
  }
  return Done{};
}

}  // namespace

Result<EinsumTerms> parse_einsum(const std::string& equation, const std::vector<size_t>& ranks) {
  std::string text;
  std::copy_if(equation.begin(), equation.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  size_t arrow = text.find("->");
  std::vector<std::string> parts(1);
  for (char c : text.substr(0, arrow)) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != ranks.size())
    return error("its equation '{}' is for {} operands, it has {}", equation, parts.size(), ranks.size());
  EinsumTerms terms;
  size_t ellipsis = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    HONE_TRY(Term term, parse_term(parts[k]));
    size_t letters = term.before.size() + term.after.size();
    if (letters > ranks[k] || (letters < ranks[k] && !term.ellipsis))
      return error("'{}' in its equation does not fit an operand of rank {}", parts[k], ranks[k]);
    terms.operands.push_back(labels_of(term, ranks[k] - letters));
    if (term.ellipsis) ellipsis = std::max(ellipsis, ranks[k] - letters);
  }
  if (arrow == std::string::npos) {
    terms.result = implied_result(terms, ellipsis);
    return terms;
  }
  HONE_TRY(Term result, parse_term(text.substr(arrow + 2)));
  terms.result = labels_of(result, ellipsis);
  HONE_PASS(check_result(terms));
  return terms;
}

}  // namespace hone::import
