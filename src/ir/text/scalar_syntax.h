// A scalar as it was written: numbers without types still await the one of their surroundings.
#pragma once

#include <memory>

#include "ir/scalar.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

struct Syntax;
using SyntaxPtr = std::shared_ptr<const Syntax>;

struct Syntax {
  enum class Kind { Number, Value, Operation, Cast, Bits };
  Kind kind = Kind::Number;
  Token token;                  // where it stands
  double number = 0;            // Number
  int64_t integer = 0;          // Number, if whole
  bool whole = false;           // Number without a fraction
  Scalar value;                 // Value: an access, an index value, a name
  ScalarOp op{};                // Operation
  std::vector<SyntaxPtr> args;  // Operation, Cast, Bits
  std::optional<DType> type;    // its type, if its own words tell
  int height = 1;
};

SyntaxPtr operation_syntax(Token token, ScalarOp op, std::vector<SyntaxPtr> args);

// Gives every number its type. `want` is what the surroundings ask for.
Result<Scalar> scalar_of(const SyntaxPtr& syntax, std::optional<DType> want, const Lexer& lexer);

}  // namespace hone::ir::text
