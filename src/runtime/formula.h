// Formulas: postfix code over int64, the sizes of an Executable as functions of the model's symbols.
//
//   formula := instruction*                 leaves one value; the empty formula is 0
//   instruction := Constant value | Symbol number | Add | Sub | Mul | FloorDiv | CeilDiv | Mod | Min | Max
//
// Division rounds down (or up), Mod has the sign of the divisor, as in ir::Index.
#pragma once

#include <optional>
#include <span>

#include "runtime/executable.h"

namespace hone::runtime {

// Stored in artefacts: append only.
enum class FormulaOp : int64_t { Constant = 1, Symbol, Add, Sub, Mul, FloorDiv, CeilDiv, Mod, Min, Max };

Formula constant_formula(int64_t value);
Formula symbol_formula(int64_t number);
Formula combine(FormulaOp op, Formula a, const Formula& b);  // a op b

// Known instructions, whole operands, symbols in range, never below or above the stack, one value left.
Status validate(const Formula& formula, size_t symbol_count);

// The value, or an error on overflow and on division by zero. The formula must be valid. Takes no memory if it succeeds.
Result<int64_t> evaluate(const Formula& formula, std::span<const int64_t> symbols);

// The value of a formula without symbols; nothing if it has one or fails.
std::optional<int64_t> constant_value(const Formula& formula);

std::string text_of(const Formula& formula, const std::vector<std::string>& symbols);

}  // namespace hone::runtime
