#include "pipeline/index_formula.h"

#include <algorithm>

namespace hone::pipeline {

using runtime::Formula;
using runtime::FormulaOp;
using Kind = ir::IndexAtom::Kind;

SizeFormulas::SizeFormulas(const std::vector<std::string>& symbols, std::map<std::string, ir::Index> meanings)
    : meanings_(std::move(meanings)) {
  for (size_t k = 0; k < symbols.size(); ++k) numbers_.emplace(symbols[k], static_cast<int64_t>(k));
}

bool SizeFormulas::knows_symbols_of(const ir::Index& index) const {
  auto names = index.symbols();
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return numbers_.contains(name); });
}

int64_t SizeFormulas::number_of(const std::string& symbol) const {
  auto found = numbers_.find(symbol);
  HONE_CHECK(found != numbers_.end(), "{} is no symbol of the model", symbol);
  return found->second;
}

Formula SizeFormulas::of(const ir::Index& index) const {
  return plain(meanings_.empty() ? index : index.substitute(meanings_));
}

Formula SizeFormulas::atom(const ir::IndexAtom& atom) const {
  if (atom.args.empty()) {
    HONE_CHECK(atom.kind == Kind::Symbol, "{} is no symbol of the model", atom.key);
    return runtime::symbol_formula(number_of(atom.name));
  }
  Formula a = plain(atom.args[0]), b = plain(atom.args[1]);
  switch (atom.kind) {
    case Kind::FloorDiv:
      return combine(FormulaOp::FloorDiv, a, b);
    case Kind::Mod:
      return combine(FormulaOp::Mod, a, b);
    case Kind::Min:
      return combine(FormulaOp::Min, a, b);
    case Kind::Max:
      return combine(FormulaOp::Max, a, b);
    case Kind::Axis:
    case Kind::Symbol:
    case Kind::Read:
      break;
  }
  HONE_CHECK(false, "{} has arguments", atom.key);
}

Formula SizeFormulas::plain(const ir::Index& index) const {
  Formula sum;
  for (const ir::IndexTerm& term : index.terms()) {
    Formula value;
    if (term.coefficient != 1 || term.factors.empty()) value = runtime::constant_formula(term.coefficient);
    for (const ir::AtomPtr& factor : term.factors) {
      Formula one = atom(*factor);
      value = value.code.empty() ? one : combine(FormulaOp::Mul, value, one);
    }
    sum = sum.code.empty() ? value : combine(FormulaOp::Add, sum, value);
  }
  return sum;
}

}  // namespace hone::pipeline
