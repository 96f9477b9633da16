#include "pipeline/index_formula.h"

#include <algorithm>

namespace hone::pipeline {
namespace {

using runtime::Formula;
using runtime::FormulaOp;
using Kind = ir::IndexAtom::Kind;

Formula atom_formula(const ir::IndexAtom& atom, const std::vector<std::string>& symbols) {
  if (atom.args.empty()) {
    auto found = std::find(symbols.begin(), symbols.end(), atom.name);
    HONE_CHECK(found != symbols.end() && atom.kind == Kind::Symbol, "{} is no symbol of the model", atom.key);
    return runtime::symbol_formula(found - symbols.begin());
  }
  Formula a = formula_of(atom.args[0], symbols), b = formula_of(atom.args[1], symbols);
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

}  // namespace

Formula formula_of(const ir::Index& index, const std::vector<std::string>& symbols) {
  Formula sum;
  for (const ir::IndexTerm& term : index.terms()) {
    Formula value;
    if (term.coefficient != 1 || term.factors.empty()) value = runtime::constant_formula(term.coefficient);
    for (const ir::AtomPtr& atom : term.factors) {
      Formula factor = atom_formula(*atom, symbols);
      value = value.code.empty() ? factor : combine(FormulaOp::Mul, value, factor);
    }
    sum = sum.code.empty() ? value : combine(FormulaOp::Add, sum, value);
  }
  return sum;
}

}  // namespace hone::pipeline
