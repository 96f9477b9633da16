#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/text/scalar_syntax.h"
#include "ir/text/scalar_text.h"

namespace hone::ir::text {
namespace {

constexpr int kMostHeight = 1000;  // of a tree; its users may recurse over it

class ScalarParser {
 public:
  ScalarParser(Lexer& lexer, const ScalarScope& scope) : lexer_(lexer), scope_(scope) {}

  Result<Scalar> body(std::optional<DType> want) {
    if (lexer_.take_if("let")) {
      do {
        HONE_TRY(std::string name, lexer_.name("a name to let"));
        HONE_PASS(lexer_.expect("="));
        HONE_TRY(SyntaxPtr syntax, comparison());
        HONE_TRY(Scalar value, scalar_of(syntax, std::nullopt, lexer_));
        names_[name] = std::move(value);
        heights_[name] = syntax->height;
      } while (lexer_.take_if(","));
      HONE_PASS(lexer_.expect("in"));
    }
    HONE_TRY(SyntaxPtr syntax, comparison());
    return scalar_of(syntax, want, lexer_);
  }

 private:
  Result<SyntaxPtr> joined(Token token, ScalarOp op, std::vector<SyntaxPtr> args) {
    return checked(operation_syntax(std::move(token), op, std::move(args)));
  }

  Result<SyntaxPtr> checked(SyntaxPtr syntax) const {
    if (syntax->height > kMostHeight)
      return lexer_.problem_at(syntax->token, fmt::format("more than {} operations on one another", kMostHeight));
    return syntax;
  }

  Result<SyntaxPtr> comparison() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    HONE_TRY(SyntaxPtr left, sum());
    for (auto [sign, op] : {std::pair{"<", ScalarOp::Less}, {"<=", ScalarOp::LessEqual}, {"==", ScalarOp::Equal}}) {
      if (!lexer_.at(sign)) continue;
      Token token = lexer_.take();
      HONE_TRY(SyntaxPtr right, sum());
      return joined(std::move(token), op, {left, right});
    }
    return left;
  }

  Result<SyntaxPtr> sum() {
    HONE_TRY(SyntaxPtr left, product());
    while (lexer_.at("+") || lexer_.at("-")) {
      Token token = lexer_.take();
      HONE_TRY(SyntaxPtr right, product());
      ScalarOp op = token.text == "+" ? ScalarOp::Add : ScalarOp::Sub;
      HONE_TRY(left, joined(std::move(token), op, {left, right}));
    }
    return left;
  }

  Result<SyntaxPtr> product() {
    HONE_TRY(SyntaxPtr left, unary());
    while (lexer_.at("*") || lexer_.at("/")) {
      Token token = lexer_.take();
      HONE_TRY(SyntaxPtr right, unary());
      ScalarOp op = token.text == "*" ? ScalarOp::Mul : ScalarOp::Div;
      HONE_TRY(left, joined(std::move(token), op, {left, right}));
    }
    return left;
  }

  bool at_number(size_t ahead) const {
    Token::Kind kind = lexer_.peek(ahead).kind;
    return kind == Token::Kind::Integer || kind == Token::Kind::Float || lexer_.at("inf", ahead) ||
           lexer_.at("nan", ahead);
  }

  Result<SyntaxPtr> unary() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    if (!lexer_.at("-") || at_number(1)) return primary();
    Token token = lexer_.take();
    HONE_TRY(SyntaxPtr operand, unary());
    return joined(std::move(token), ScalarOp::Neg, {operand});
  }

  Result<SyntaxPtr> primary() {
    if (at_number(0) || lexer_.at("-")) return number();
    if (lexer_.at("true") || lexer_.at("false")) {
      Token token = lexer_.take();
      return value(token, constant(DType::Bool, token.text == "true" ? 1 : 0), 1);
    }
    if (lexer_.at("#")) return index();
    if (lexer_.take_if("(")) {
      HONE_TRY(SyntaxPtr inside, comparison());
      HONE_PASS(lexer_.expect(")"));
      return inside;
    }
    if (lexer_.at("cast")) return conversion(Syntax::Kind::Cast);
    if (lexer_.at("bits") && lexer_.at(":", 1)) return conversion(Syntax::Kind::Bits);
    if (lexer_.peek().kind == Token::Kind::Name && lexer_.at("(", 1)) return function();
    if (auto found = names_.find(lexer_.peek().text); found != names_.end() && lexer_.at_name())
      return value(lexer_.take(), found->second, heights_.at(found->first));
    Token token = lexer_.peek();
    HONE_TRY(std::optional<Scalar> leaf, scope_.leaf(lexer_));
    if (leaf) return value(token, *leaf, 1);
    return lexer_.unexpected("a value: a number, an access, a name, a function or '('");
  }

  SyntaxPtr value(const Token& token, Scalar scalar, int height) const {
    auto syntax = std::make_shared<Syntax>();
    syntax->kind = Syntax::Kind::Value;
    syntax->token = token;
    syntax->type = scalar->type;
    syntax->value = std::move(scalar);
    syntax->height = height;
    return syntax;
  }

  Result<SyntaxPtr> number() {
    auto syntax = std::make_shared<Syntax>();
    syntax->token = lexer_.peek();
    const Token& digits = lexer_.peek(lexer_.at("-") ? 1 : 0);
    syntax->whole = digits.kind == Token::Kind::Integer;
    if (syntax->whole) syntax->integer = lexer_.at("-") ? negated(digits.integer) : digits.integer;
    HONE_TRY(syntax->number, lexer_.number("a number"));
    if (lexer_.take_if(":")) {
      HONE_TRY(syntax->type, parse_dtype(lexer_));
    }
    return SyntaxPtr(syntax);
  }

  Result<SyntaxPtr> index() {
    Token token = lexer_.take();
    HONE_PASS(lexer_.expect("("));
    HONE_TRY(Index at, parse_index(lexer_, scope_.index));
    HONE_PASS(lexer_.expect(")"));
    DType type = DType::I64;
    if (lexer_.take_if(":")) {
      HONE_TRY(type, parse_dtype(lexer_));
    }
    return value(token, index_value(type, at), 1);
  }

  Result<SyntaxPtr> conversion(Syntax::Kind kind) {
    auto syntax = std::make_shared<Syntax>();
    syntax->kind = kind;
    syntax->token = lexer_.take();
    HONE_PASS(lexer_.expect(":"));
    HONE_TRY(syntax->type, parse_dtype(lexer_));
    HONE_PASS(lexer_.expect("("));
    HONE_TRY(SyntaxPtr inside, comparison());
    HONE_PASS(lexer_.expect(")"));
    syntax->height = inside->height + 1;
    syntax->args = {std::move(inside)};
    return checked(std::move(syntax));
  }

  Result<SyntaxPtr> function() {
    std::optional<ScalarOp> op = scalar_op_named(lexer_.peek().text);
    if (!op) return lexer_.unexpected("a function of scalar.def, such as max, exp or select");
    Token token = lexer_.take();
    std::vector<SyntaxPtr> args;
    HONE_PASS(lexer_.expect("("));
    do {
      HONE_TRY(SyntaxPtr arg, comparison());
      args.push_back(std::move(arg));
    } while (lexer_.take_if(","));
    HONE_PASS(lexer_.expect(")"));
    if (static_cast<int>(args.size()) != arity_of(*op))
      return lexer_.problem_at(token,
                               fmt::format("{} takes {} arguments, found {}", token.text, arity_of(*op), args.size()));
    return joined(std::move(token), *op, std::move(args));
  }

  Lexer& lexer_;
  const ScalarScope& scope_;
  std::map<std::string, Scalar> names_;
  std::map<std::string, int> heights_;
};

}  // namespace

Result<DType> parse_dtype(Lexer& lexer) {
  std::optional<DType> type;
  if (lexer.peek().kind == Token::Kind::Name) type = dtype_named(lexer.peek().text);
  if (!type) return lexer.unexpected("an element type such as f32, i64 or bool");
  lexer.take();
  return *type;
}

Result<Scalar> parse_body(Lexer& lexer, const ScalarScope& scope, std::optional<DType> want) {
  return ScalarParser(lexer, scope).body(want);
}

Result<Scalar> parse_scalar(std::string_view source, const std::vector<DType>& access_types,
                            const std::vector<std::string>& axes) {
  HONE_TRY(Lexer lexer, Lexer::open(std::string(source)));
  ScalarScope scope;
  scope.index.is_axis = [&](const std::string& name) {
    return std::find(axes.begin(), axes.end(), name) != axes.end();
  };
  scope.leaf = [&](Lexer& at) -> Result<std::optional<Scalar>> {
    if (!at.take_if("@")) return std::optional<Scalar>();
    Token number = at.peek();
    HONE_TRY(int64_t access, at.integer("the number of an access"));
    if (access < 0 || access >= static_cast<int64_t>(access_types.size()))
      return at.problem_at(number, fmt::format("there is no access {}", access));
    return std::optional(access_value(access_types[static_cast<size_t>(access)], static_cast<int>(access)));
  };
  HONE_TRY(Scalar scalar, parse_body(lexer, scope, std::nullopt));
  HONE_PASS(lexer.expect_end());
  return scalar;
}

}  // namespace hone::ir::text
