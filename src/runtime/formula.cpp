#include "runtime/formula.h"

#include <algorithm>

namespace hone::runtime {

namespace {

constexpr size_t stack_limit = 128;

bool has_operand(FormulaOp op) {
  return op == FormulaOp::Constant || op == FormulaOp::Symbol;
}

// False on overflow and on division by zero.
bool divide(int64_t a, int64_t b, int64_t& quotient, int64_t& remainder) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  quotient = a / b;
  remainder = a % b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    quotient -= 1;
    remainder += b;
  }
  return true;
}

bool apply(FormulaOp op, int64_t a, int64_t b, int64_t& result) {
  int64_t quotient, remainder;
  switch (op) {
    case FormulaOp::Add:
      return !__builtin_add_overflow(a, b, &result);
    case FormulaOp::Sub:
      return !__builtin_sub_overflow(a, b, &result);
    case FormulaOp::Mul:
      return !__builtin_mul_overflow(a, b, &result);
    case FormulaOp::FloorDiv:
      return divide(a, b, result, remainder);
    case FormulaOp::CeilDiv:
      if (!divide(a, b, quotient, remainder)) return false;
      result = quotient + (remainder != 0);
      return true;
    case FormulaOp::Mod:
      return divide(a, b, quotient, result);
    case FormulaOp::Min:
      result = std::min(a, b);
      return true;
    case FormulaOp::Max:
      result = std::max(a, b);
      return true;
    case FormulaOp::Constant:
    case FormulaOp::Symbol:
      break;
  }
  return false;
}

std::string infix(FormulaOp op, const std::string& a, const std::string& b) {
  switch (op) {
    case FormulaOp::Add:
      return fmt::format("({} + {})", a, b);
    case FormulaOp::Sub:
      return fmt::format("({} - {})", a, b);
    case FormulaOp::Mul:
      return fmt::format("{} * {}", a, b);
    case FormulaOp::FloorDiv:
      return fmt::format("({} // {})", a, b);
    case FormulaOp::CeilDiv:
      return fmt::format("ceildiv({}, {})", a, b);
    case FormulaOp::Mod:
      return fmt::format("({} % {})", a, b);
    case FormulaOp::Min:
      return fmt::format("min({}, {})", a, b);
    case FormulaOp::Max:
      return fmt::format("max({}, {})", a, b);
    case FormulaOp::Constant:
    case FormulaOp::Symbol:
      break;
  }
  return "";
}

}  // namespace

Formula constant_formula(int64_t value) {
  return {{static_cast<int64_t>(FormulaOp::Constant), value}};
}

Formula symbol_formula(int64_t number) {
  return {{static_cast<int64_t>(FormulaOp::Symbol), number}};
}

Formula combine(FormulaOp op, Formula a, const Formula& b) {
  HONE_CHECK(!has_operand(op), "operator {}", static_cast<int64_t>(op));
  if (a.code.empty()) a = constant_formula(0);
  const Formula zero = constant_formula(0);
  const Formula& right = b.code.empty() ? zero : b;
  a.code.insert(a.code.end(), right.code.begin(), right.code.end());
  a.code.push_back(static_cast<int64_t>(op));
  return a;
}

Status validate(const Formula& formula, size_t symbol_count) {
  if (formula.code.empty()) return Done{};
  size_t depth = 0;
  for (size_t i = 0; i < formula.code.size(); ++i) {
    int64_t number = formula.code[i];
    if (number < static_cast<int64_t>(FormulaOp::Constant) || number > static_cast<int64_t>(FormulaOp::Max))
      return error("a size formula has the unknown instruction {}", number);
    auto op = static_cast<FormulaOp>(number);
    if (has_operand(op)) {
      if (++i == formula.code.size()) return error("a size formula ends within an instruction");
      if (op == FormulaOp::Symbol && (formula.code[i] < 0 || formula.code[i] >= static_cast<int64_t>(symbol_count)))
        return error("a size formula uses symbol {} of {}", formula.code[i], symbol_count);
      if (++depth > stack_limit) return error("a size formula is nested more than {} deep", stack_limit);
    } else {
      if (depth < 2) return error("a size formula lacks an operand");
      --depth;
    }
  }
  if (depth != 1) return error("a size formula leaves {} values instead of one", depth);
  return Done{};
}

Result<int64_t> evaluate(const Formula& formula, std::span<const int64_t> symbols) {
  if (formula.code.empty()) return int64_t{0};
  int64_t stack[stack_limit];
  size_t depth = 0;
  for (size_t i = 0; i < formula.code.size(); ++i) {
    auto op = static_cast<FormulaOp>(formula.code[i]);
    if (op == FormulaOp::Constant) {
      stack[depth++] = formula.code[++i];
    } else if (op == FormulaOp::Symbol) {
      stack[depth++] = symbols[static_cast<size_t>(formula.code[++i])];
    } else {
      --depth;
      int64_t a = stack[depth - 1], b = stack[depth];
      if (!apply(op, a, b, stack[depth - 1]))
        return error("{} has no 64-bit value", infix(op, std::to_string(a), std::to_string(b)));
    }
  }
  return stack[0];
}

std::optional<int64_t> constant_value(const Formula& formula) {
  if (!validate(formula, 0).ok()) return std::nullopt;
  Result<int64_t> value = evaluate(formula, {});
  return value.ok() ? std::optional(*value) : std::nullopt;
}

std::string text_of(const Formula& formula, const std::vector<std::string>& symbols) {
  if (formula.code.empty()) return "0";
  std::vector<std::string> stack;
  for (size_t i = 0; i < formula.code.size(); ++i) {
    auto op = static_cast<FormulaOp>(formula.code[i]);
    if (op == FormulaOp::Constant) {
      stack.push_back(std::to_string(formula.code[++i]));
    } else if (op == FormulaOp::Symbol) {
      stack.push_back(symbols.at(static_cast<size_t>(formula.code[++i])));
    } else {
      std::string b = std::move(stack.back());
      stack.pop_back();
      stack.back() = infix(op, stack.back(), b);
    }
  }
  return stack.front();
}

}  // namespace hone::runtime
