#include "hone/shapes.h"

#include <optional>

#include "hone/print.h"
#include "runtime/formula.h"

namespace hone::tools {
namespace {

using runtime::Executable;
using runtime::Formula;
using runtime::FormulaOp;

// The only symbol in a formula.
std::optional<size_t> only_symbol(const Formula& formula) {
  std::optional<size_t> found;
  for (size_t k = 0; k < formula.code.size(); ++k) {
    auto op = static_cast<FormulaOp>(formula.code[k]);
    if (op != FormulaOp::Constant && op != FormulaOp::Symbol) continue;
    auto number = static_cast<size_t>(formula.code[++k]);
    if (op == FormulaOp::Constant) continue;
    if (found && *found != number) return std::nullopt;
    found = number;
  }
  return found;
}

// The value of the symbol for which formula == wanted, if the formula is a multiple of the symbol.
std::optional<int64_t> solve(const Formula& formula, size_t symbol, size_t symbol_count, int64_t wanted) {
  auto at = [&](int64_t value) {
    std::vector<int64_t> symbols(symbol_count, 0);
    symbols[symbol] = value;
    return runtime::evaluate(formula, symbols);
  };
  // A symbol that only ever is a multiple holds the whole size.
  if (auto whole = at(wanted); whole && *whole == wanted) return wanted;
  auto zero = at(0), one = at(1);
  if (!zero || !one || *zero != 0 || *one <= 0 || wanted % *one != 0) return std::nullopt;
  int64_t value = wanted / *one;
  auto check = at(value);
  return check && *check == wanted ? std::optional(value) : std::nullopt;
}

class Solver {
 public:
  explicit Solver(const Executable& executable) : executable_(executable), values_(executable.symbols.size()) {}

  Status take(const runtime::PortSpec& port, const std::vector<int64_t>& shape) {
    if (shape.size() != port.shape.size())
      return error("input '{}' has {} dimensions ({}); the shape {} has {}", port.name, port.shape.size(),
                   port_text(port), shape_text(shape), shape.size());
    for (size_t d = 0; d < shape.size(); ++d) {
      std::optional<size_t> symbol = only_symbol(port.shape[d]);
      if (!symbol || values_[*symbol]) continue;
      values_[*symbol] = solve(port.shape[d], *symbol, values_.size(), shape[d]);
      if (!values_[*symbol])
        return error("dimension {} of input '{}' is {}: {} does not fit", d, port.name, port.shape_text[d], shape[d]);
    }
    return Done{};
  }

  Result<SolvedShapes> finish() const {
    SolvedShapes result;
    for (size_t s = 0; s < values_.size(); ++s) {
      result.symbols.push_back(values_[s].value_or(1));
      if (!values_[s]) result.assumed.push_back(executable_.symbols[s]);
    }
    for (const runtime::PortSpec& port : executable_.inputs) {
      std::vector<int64_t>& shape = result.shapes.emplace_back();
      for (const Formula& size : port.shape) {
        HONE_TRY(int64_t value, runtime::evaluate(size, result.symbols));
        shape.push_back(value);
      }
    }
    return result;
  }

 private:
  const Executable& executable_;
  std::vector<std::optional<int64_t>> values_;  // by symbol
};

}  // namespace

std::string assumption_text(const SolvedShapes& solved) {
  return fmt::format("{} = 1: not given, see --shape", fmt::join(solved.assumed, " = "));
}

Result<SolvedShapes> solve_shapes(const Executable& executable, const ShapeMap& given) {
  Solver solver(executable);
  for (const runtime::PortSpec& port : executable.inputs)
    if (auto found = given.find(port.name); found != given.end()) HONE_PASS(solver.take(port, found->second));
  HONE_TRY(SolvedShapes solved, solver.finish());
  // What was given stays as it was given, so that the session can tell what is wrong with it.
  for (size_t k = 0; k < executable.inputs.size(); ++k)
    if (auto found = given.find(executable.inputs[k].name); found != given.end()) solved.shapes[k] = found->second;
  return solved;
}

}  // namespace hone::tools
