// Text of scalar bodies.
//
//   body    := ('let' name '=' scalar (',' name '=' scalar)* 'in')? scalar
//   scalar  := sum (('<' | '<=' | '==') sum)?
//   sum     := product (('+' | '-') product)*
//   product := unary (('*' | '/') unary)*
//   unary   := '-' unary | primary
//   primary := number (':' dtype)? | 'true' | 'false' | '#(' index ')' (':' dtype)? | '(' scalar ')'
//            | 'cast' ':' dtype '(' scalar ')' | function '(' scalar, … ')' | access | name
//   number  := 1 | 0.5 | 1e-5 | inf | nan, with a minus in front
//
// Functions are those of scalar.def by their text. A number without a type takes the type of the operation it stands in,
// of the place it is stored to if the whole operation is made of numbers, and f32 else; `#(index)` is i64. What a `let`
// names is computed once: a node that has several users in memory prints so, and reads back as one node.
// What an access looks like is the scope's affair.
#pragma once

#include "ir/scalar.h"
#include "ir/text/index_text.h"

namespace hone::ir::text {

struct ScalarScope {
  IndexScope index;
  // Reads what stands at the lexer if it is an access or a name with a value; nothing if it is neither.
  std::function<Result<std::optional<Scalar>>(Lexer&)> leaf;
};

// `want`: the type of the place that the value goes to, if known. The result may still have another type.
Result<Scalar> parse_body(Lexer& lexer, const ScalarScope& scope, std::optional<DType> want);
Result<DType> parse_dtype(Lexer& lexer);

struct ScalarTexts {
  std::function<std::string(int)> access;            // `@k`
  std::function<std::string(int)> read;              // `$k`
  std::function<bool(const std::string&)> is_taken;  // a name that `let` must not use
};
// Reads back as the same tree when parsed with `want`.
std::string body_text(const Scalar& body, const ScalarTexts& texts, std::optional<DType> want);

// A whole text that is one body; `@k` has the k-th type.
Result<Scalar> parse_scalar(std::string_view source, const std::vector<DType>& access_types,
                            const std::vector<std::string>& axes = {});

}  // namespace hone::ir::text
