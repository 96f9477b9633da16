#include "ir/text/scalar_syntax.h"

#include <algorithm>

namespace hone::ir::text {
namespace {

// The arguments from this one on share one type.
size_t first_operand(ScalarOp op) {
  return op == ScalarOp::Select ? 1 : 0;
}

std::optional<DType> operand_type(const Syntax& syntax) {
  for (size_t i = first_operand(syntax.op); i < syntax.args.size(); ++i)
    if (syntax.args[i]->type) return syntax.args[i]->type;
  return std::nullopt;
}

bool fits(DType type, int64_t value) {
  if (type == DType::I64 || type == DType::U64) return true;
  int bits = static_cast<int>(size_of(type)) * 8;
  int64_t most = (int64_t{1} << (is_signed(type) ? bits - 1 : bits)) - 1;
  return value <= most && value >= (is_signed(type) ? -most - 1 : 0);
}

Result<Scalar> number_of(const Syntax& syntax, DType type, const Lexer& lexer) {
  if (is_float(type)) return constant(type, syntax.number);
  if (type == DType::Bool) return lexer.problem_at(syntax.token, "found a number, expected true or false");
  if (!syntax.whole || !fits(type, syntax.integer))
    return lexer.problem_at(syntax.token,
                            fmt::format("{} is no value of type {}", number_text(syntax.number), name_of(type)));
  return integer_constant(type, syntax.integer);
}

Result<Scalar> operation_of(const Syntax& syntax, std::optional<DType> want, const Lexer& lexer) {
  std::optional<DType> type = operand_type(syntax);
  if (!type && !is_comparison(syntax.op)) type = want;
  std::vector<Scalar> args;
  for (size_t i = 0; i < syntax.args.size(); ++i) {
    bool condition = i < first_operand(syntax.op);
    HONE_TRY(Scalar arg, scalar_of(syntax.args[i], condition ? DType::Bool : type, lexer));
    if (condition && arg->type != DType::Bool)
      return lexer.problem_at(syntax.args[i]->token,
                              fmt::format("the condition of select is {}, expected bool", name_of(arg->type)));
    if (!condition && type && arg->type != *type)
      return lexer.problem_at(
          syntax.token,
          fmt::format("the operands of {} are {} and {}; write cast:{}(…) or cast:{}(…)", name_of(syntax.op),
                      name_of(*type), name_of(arg->type), name_of(*type), name_of(arg->type)));
    args.push_back(std::move(arg));
  }
  return apply(syntax.op, std::move(args));
}

}  // namespace

SyntaxPtr operation_syntax(Token token, ScalarOp op, std::vector<SyntaxPtr> args) {
  auto syntax = std::make_shared<Syntax>();
  syntax->kind = Syntax::Kind::Operation;
  syntax->token = std::move(token);
  syntax->op = op;
  syntax->args = std::move(args);
  for (const SyntaxPtr& arg : syntax->args) syntax->height = std::max(syntax->height, arg->height + 1);
  syntax->type = is_comparison(op) ? DType::Bool : operand_type(*syntax);
  return syntax;
}

Result<Scalar> scalar_of(const SyntaxPtr& syntax, std::optional<DType> want, const Lexer& lexer) {
  switch (syntax->kind) {
    case Syntax::Kind::Number:
      return number_of(*syntax, syntax->type.value_or(want.value_or(DType::F32)), lexer);
    case Syntax::Kind::Value:
      return syntax->value;
    case Syntax::Kind::Operation:
      return operation_of(*syntax, want, lexer);
    case Syntax::Kind::Bits: {
      HONE_TRY(Scalar value, scalar_of(syntax->args[0], std::nullopt, lexer));
      DType to = *syntax->type, from = value->type;
      if (size_of(to) != size_of(from) || to == DType::Bool || from == DType::Bool)
        return lexer.problem_at(syntax->token, fmt::format("the bits of a {} are no {}", name_of(from), name_of(to)));
      return bits(to, std::move(value));
    }
    case Syntax::Kind::Cast: {
      HONE_TRY(Scalar value, scalar_of(syntax->args[0], std::nullopt, lexer));
      return cast(*syntax->type, std::move(value));
    }
  }
  HONE_CHECK(false, "unknown syntax");
}

}  // namespace hone::ir::text
